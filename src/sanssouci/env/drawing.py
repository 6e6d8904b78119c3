"""A game as plain text, for ``render_mode="ansi"``."""

from sanssouci.notation import LETTERS, write_card, write_marks, write_square
from sanssouci.rules import COLUMNS, ROWS, Cards, Garden, View, members, square_at, tiles_on

from .spec import BOAR_LEAVES, FIRST_ACTION, NO_NOBLE, Stage, stage_of


def draw(view: View) -> str:
    """Everything that a seat knows: views with different observations are drawn differently.

    ``.`` free, ``#`` structure, ``g`` gardener, ``N`` structure with a noble, ``b`` free with the boar. The
    mark of a reward board at c3 is written as in records: ``c3+2``.
    """
    tiles = ["-" if motif is None else LETTERS[motif] for motif in tiles_on(view.display)]
    pairs = "  ".join(f"{row}:{tiles[2 * row - 4]}{tiles[2 * row - 3]}" for row in range(2, 7))
    heads = [f"seat {seat}: {score.total}".ljust(12) for seat, score in enumerate(view.scores)]
    turn = "game over" if view.over else f"seat {view.to_move} to move"
    lines = [f"round {view.round}, {turn}, display {pairs}, hand {_cards(view.hand)}"]
    lines += ["   ".join(heads).rstrip()]
    lines += ["   ".join(f"{row} {_row(garden, row)} " for garden in view.gardens).rstrip() for row in ROWS]
    lines += ["pouch " + " ".join(f"{LETTERS[motif]}{count}" for motif, count in enumerate(view.pouch))]
    for seat, garden in enumerate(view.gardens):
        missions = "".join(sorted(LETTERS[mission] for mission in view.missions[seat] or ())) or "hidden"
        lines += [f"seat {seat}: missions {missions}, unplayed {_cards(view.unplayed[seat])}"]
        if garden.marks:
            lines[-1] += ", rewards " + " ".join(map("".join, write_marks(garden.marks).items()))
    return "\n".join(lines)


def _cards(cards: Cards) -> str:
    return " ".join(map(write_card, members(cards))) or "none"


def _row(garden: Garden, row: int) -> str:
    return "".join(_sign(garden, square_at(column, row)) for column in COLUMNS)


def _sign(garden: Garden, square: int) -> str:
    signs = ((garden.boar, "b"), (garden.nobles, "N"), (garden.gardeners, "g"), (garden.built, "#"))
    return next((sign for bits, sign in signs if bits >> square & 1), ".")


def action_name(action: int) -> str:
    """A stage action as text, such as ``card 36`` or ``noble to c3``."""
    stage = stage_of(action)
    number = action - FIRST_ACTION[stage]
    if action == NO_NOBLE:
        return "no noble"
    if action == BOAR_LEAVES:
        return "boar leaves"
    if stage is Stage.CARD:
        return f"card {write_card(number)}"
    if stage is Stage.SPACE:
        return f"space {number}"
    name = stage.name.lower()
    return f"{name} {write_square(number)}" if stage is Stage.SQUARE else f"{name} to {write_square(number)}"
