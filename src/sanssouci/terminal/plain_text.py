"""The table in plain sentences, for screen readers and scripts."""

from collections.abc import Sequence

from sanssouci.editions import Words
from sanssouci.notation import LETTERS, write_mark, write_square
from sanssouci.rules import (
    ROWS,
    SPACES,
    Garden,
    Mark,
    State,
    Turn,
    View,
    mark_at,
    members,
    motif_on,
    noble_row,
    square_at,
    tiles_on,
    turn_score,
)

from .screen import card_line, missions_text, result_text, score_parts


def table_text(view: View, names: Sequence[str], words: Words) -> list[str]:
    """Round, scores, hand, missions and display, for the player to move."""
    lines = [words.translate("screen.round", round=view.round) + "."]
    for name, score in zip(names, view.scores, strict=True):
        parts = score_parts(score, words)
        sentence = words.translate("turn_text.score", name=name, points=words.points(score.total))
        lines.append(f"{sentence} ({parts})." if parts else f"{sentence}.")
    if view.seat is not None and view.hand:
        cards = words.translate("word.semicolon").join(
            card_line(view, card, words) for card in members(view.hand)
        )
        lines.append(words.translate("screen.hand", cards=cards) + ".")
        lines += [
            mission_text(view.gardens[view.seat], mission, words)
            for mission in view.missions[view.seat] or ()
        ]
    return [*lines, *display_text(view, words)]


def mission_text(garden: Garden, mission: int, words: Words) -> str:
    """A mission and the position of its noble."""
    place = words.place(noble_row(garden.nobles, mission))
    return words.translate(
        "turn_text.mission", motif=words.motif(mission), letter=LETTERS[mission], place=place
    )


def display_text(view: View, words: Words) -> list[str]:
    """Every space with its tile."""
    lines = []
    for space in SPACES:
        motif = tiles_on(view.display)[space]
        tile = words.translate("turn_text.no_tile") if motif is None else words.tile(motif)
        lines.append(words.translate("turn_text.space", space=words.space(space), tile=tile))
    return lines


def garden_text(name: str, garden: Garden, words: Words) -> list[str]:
    """A garden row by row, then the nobles that have left the terrace, and the boar."""
    lines = [words.translate("turn_text.garden", name=name)]
    connected = garden.connected
    for row in ROWS:
        things = [_square_text(garden, square_at(column, row), connected, words) for column in range(9)]
        found = ", ".join(thing for thing in things if thing) or words.translate("turn_text.nothing")
        lines.append(words.translate("turn_text.row", row=row, colour=words.row(row), found=found))
    nobles = ", ".join(write_square(square) for square in members(garden.nobles))
    lines.append(words.translate("turn_text.nobles", squares=nobles or words.translate("turn_text.none")))
    if garden.boar:
        lines.append(words.translate("turn_text.boar_stands", square=write_square(members(garden.boar)[0])))
    return lines


def _square_text(garden: Garden, square: int, connected: int, words: Words) -> str:
    name = write_square(square)
    if not garden.built >> square & 1:
        mark = mark_at(garden.marks, square)
        return words.translate("turn_text.mark", square=name, mark=write_mark(Mark(mark))) if mark else ""
    key = "turn_text.is_gardener" if garden.gardeners >> square & 1 else "turn_text.is_structure"
    text = words.translate(key, square=name)
    return text if connected >> square & 1 else words.translate("turn_text.unconnected", thing=text)


def turn_text(before: State, turn: Turn, after: State, names: Sequence[str], words: Words) -> list[str]:
    """A turn and its outcome, without hidden information."""
    seat = before.to_move
    reward = after.scores[seat].rewards - before.scores[seat].rewards
    motif = motif_on(before.display, turn.space)
    return [*words.turn(names[seat], turn, motif, reward), *outcome_text(before, turn, after, names, words)]


def outcome_text(before: State, turn: Turn, after: State, names: Sequence[str], words: Words) -> list[str]:
    """The points of a turn, and the tile that refilled the display."""
    seat = before.to_move
    score = turn_score(before.gardens[seat], before.scores[seat], turn)
    gain = words.points(score.total - before.scores[seat].total)
    lines = [words.translate("turn_text.gain", name=names[seat], gain=gain, total=words.points(score.total))]
    refill = tiles_on(after.display)[turn.space]
    if refill is not None:
        lines.append(words.translate("turn_text.refill", space=turn.space, tile=words.tile(refill)))
    return lines


def draw_text(before: State, after: State, name: str, words: Words) -> list[str]:
    """The card that was drawn, for the player who drew it only."""
    seat = before.to_move
    drawn = members(after.hands[seat] & ~before.hands[seat])
    return [words.translate("turn_text.draw", name=name, card=words.card(card)) for card in drawn]


def end_text(state: State, names: Sequence[str], words: Words) -> list[str]:
    """The end of the game: scores by part, missions, and the winner."""
    lines = [
        words.translate(
            "turn_text.final", name=name, points=words.points(score.total), parts=score_parts(score, words)
        )
        for name, score in zip(names, state.scores, strict=True)
    ]
    return [*lines, *missions_text(state, names, words), result_text(state, names, words)]
