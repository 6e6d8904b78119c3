"""The table as a drawing: own garden with the display, hand, missions, scores, and other gardens."""

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.text import Text

from sanssouci.editions import Words
from sanssouci.notation import LETTERS, write_card
from sanssouci.rules import (
    PARTS,
    ROWS,
    SPACES,
    Column,
    Garden,
    Result,
    Row,
    Score,
    Space,
    Spaces,
    State,
    View,
    members,
    noble_row,
    row_of_space,
    showing,
    tiles_on,
)

from .drawing import (
    NO_HIGHLIGHTS,
    Highlights,
    garden_drawing,
    garden_rows,
    heading,
    row_label,
    row_pattern,
    small_garden,
    terrace,
)
from .text_wrap import WrappedText

LABELS = 14
"""Columns for the names of the score parts."""


def table_screen(
    view: View,
    names: Sequence[str],
    words: Words,
    compact: bool = False,
) -> RenderableType:
    """Everything a seat may see; ``compact`` for narrow terminals."""
    seat = view.to_move if view.seat is None else view.seat
    draw = small_table if compact else own_garden
    parts: list[RenderableType] = [
        title_line(view, names, words),
        Text(words.translate("turn_text.garden", name=names[seat])),
        draw(view, view.gardens[seat], words),
        Text(""),
        *private_lines(view, words),
        *score_lines(view, names, words),
        Text(""),
        Columns(other_gardens(view, seat, names, words), padding=(0, 4)),
    ]
    return Group(*parts)


def title_line(view: View, names: Sequence[str], words: Words) -> RenderableType:
    """The round, the player to move, and the tiles left in the pouch."""
    left = " ".join(f"{letter}{count}" for letter, count in zip(LETTERS, view.pouch, strict=True))
    to_move = (
        words.translate("screen.over")
        if view.over
        else words.translate("screen.to_move", name=names[view.to_move])
    )
    round_of, pouch = words.translate("screen.round", round=view.round), words.translate("screen.pouch")
    return Text(f"{round_of}  {to_move}  {pouch} {left}", style="bold")


def own_garden(
    view: View,
    garden: Garden,
    words: Words,
    highlights: Highlights = NO_HIGHLIGHTS,
    takeable: Spaces = 0,
) -> Text:
    """The garden, with each space of the display next to the row it feeds."""
    lines = [*heading(words), terrace(garden)]
    lines[1].append(f"  {words.translate('screen.display')}")
    rows = garden_rows(garden, words, highlights)
    for row in ROWS:
        line = rows[row]
        line.append(" ").append_text(row_pattern(row, words))
        lines.append(_with_spaces(line, row, view, words, takeable))
    return Text("\n").join(lines)


def small_table(
    view: View,
    garden: Garden,
    words: Words,
    highlights: Highlights = NO_HIGHLIGHTS,
    takeable: Spaces = 0,
) -> Text:
    """The same for a narrow terminal, with one character per square."""
    lines = [Text(" " * 5 + LETTERS, style="bold")]
    for row, signs in enumerate(small_garden(garden, highlights)):
        line = row_label(row, words) if row else Text("0   ")
        line.append(f" {signs} ")
        lines.append(_with_spaces(line, row, view, words, takeable))
    return Text("\n").join(lines)


def _with_spaces(line: Text, row: Row, view: View, words: Words, takeable: Spaces) -> Text:
    """A line of a garden with the two spaces that feed its row."""
    for space in SPACES:
        if row_of_space(space) == row:
            line.append_text(_space(view, space, words, takeable))
    return line


def _space(view: View, space: Space, words: Words, takeable: Spaces) -> Text:
    motif = tiles_on(view.display)[space]
    name = "-" if motif is None else words.short_motif(motif)
    mark = ">" if takeable >> space & 1 else " "
    style = "bold" if mark == ">" else "dim" if takeable else ""
    return Text(f" {mark}{space} {name:<5}", style=style)


def private_lines(view: View, words: Words) -> list[RenderableType]:
    """The own hand and missions; empty for a spectator."""
    if view.seat is None:
        return []
    hand = (
        words.translate("word.semicolon").join(card_line(view, card, words) for card in members(view.hand))
        or "-"
    )
    lines: list[RenderableType] = [WrappedText(words.translate("screen.hand", cards=hand))]
    garden = view.gardens[view.seat]
    rows = [mission_line(mission, garden, words) for mission in view.missions[view.seat] or ()]
    return [
        *lines,
        WrappedText(
            words.translate("screen.missions", missions=words.translate("word.semicolon").join(rows))
        ),
    ]


def mission_line(mission: Column, garden: Garden, words: Words) -> str:
    """A mission and the position of its noble."""
    place = words.place(noble_row(garden.nobles, mission))
    return words.translate("screen.mission", motif=words.motif(mission), letter=LETTERS[mission], place=place)


def card_line(view: View, card: int, words: Words) -> str:
    """A card, and whether it is a free choice now (R16)."""
    text = words.card(card)
    if card < 9 and not showing(view.display, card):
        text += f" = {words.translate('word.free_choice')}"
    return text


def score_lines(view: View, names: Sequence[str], words: Words) -> list[Text]:
    """The points of every seat, by parts that are not zero."""
    return [
        Text(f"{name[:14]:<14} {score.total:>3}  {score_parts(score, words)}")
        for name, score in zip(names, view.scores, strict=True)
    ]


def score_parts(score: Score, words: Words) -> str:
    """The parts of a score that are not zero."""
    parts = [
        f"{words.translate(f'part.{part}')} {points}" for part, points in score.parts().items() if points
    ]
    return ", ".join(parts)


def other_gardens(view: View, seat: int, names: Sequence[str], words: Words) -> list[Text]:
    """The gardens of the other seats, in small."""
    drawings = []
    for other, garden in enumerate(view.gardens):
        if other != seat:
            cards = view.unplayed[other].bit_count()
            held = words.translate("screen.cards", cards=cards)
            head = f"{names[other][:14]} {view.scores[other].total} ({held})"
            rows = [f"{row} {signs}" for row, signs in enumerate(small_garden(garden))]
            lines = [head, "  " + LETTERS, *rows]
            drawings.append(Text("\n".join(lines)))
    return drawings


def unplayed_lines(view: View, names: Sequence[str], words: Words) -> list[str]:
    """The cards that each seat has not played yet, which is public."""
    return [
        words.translate(
            "screen.unplayed", name=name, cards=" ".join(write_card(card) for card in members(cards))
        )
        for name, cards in zip(names, view.unplayed, strict=True)
    ]


def end_screen(state: State, names: Sequence[str], words: Words, compact: bool = False) -> RenderableType:
    """All gardens, the scores by part, the missions, and who won and why (R28)."""
    parts: list[RenderableType] = []
    for name, garden in zip(names, state.gardens, strict=True):
        drawing = Text("\n".join(small_garden(garden))) if compact else garden_drawing(garden, words)
        parts += [Text(name, style="bold"), drawing, Text("")]
    parts += [score_table(state, names, words, 6 if compact else 12)]
    parts += [WrappedText(line) for line in missions_text(state, names, words)]
    return Group(*parts, WrappedText(result_text(state, names, words)))


def score_table(state: State, names: Sequence[str], words: Words, width: int = 12) -> Text:
    """The points by part, a column for each seat."""
    result = Result.of(state)
    rows = {part: [getattr(score, part) for score in state.scores] for part in PARTS}
    rows |= {"total": [score.total for score in state.scores], "gardeners": list(result.gardeners)}
    lines = [" " * LABELS + "".join(name[: width - 1].rjust(width) for name in names)]
    for part, numbers in rows.items():
        label = words.translate(f"part.{part}").ljust(LABELS)
        lines.append(label + "".join(str(number).rjust(width) for number in numbers))
    return Text("\n".join(lines))


def missions_text(state: State, names: Sequence[str], words: Words) -> list[str]:
    """All missions with the positions of their nobles, for the end of the game."""
    lines = []
    for name, garden, missions in zip(names, state.gardens, state.missions, strict=True):
        parts = [mission_line(mission, garden, words) for mission in missions]
        lines.append(
            words.translate(
                "turn_text.missions_of", name=name, missions=words.translate("word.semicolon").join(parts)
            )
        )
    return lines


def result_text(state: State, names: Sequence[str], words: Words) -> str:
    """The winner, and the part of R28 that decided."""
    result = Result.of(state)
    winners = words.translate("word.and").join(names[seat] for seat in result.winners)
    points = state.scores[result.winners[0]].total
    tied = sum(score.total == points for score in state.scores)
    key = "end.wins" if tied == 1 else "end.wins_by_gardeners" if len(result.winners) == 1 else "end.shared"
    gardeners = result.gardeners[result.winners[0]]
    return words.translate(key, names=winners, points=words.points(points), gardeners=gardeners)
