"""Texts about the game: squares, cards and turns in a language, with the names of an edition."""

from collections.abc import Sequence

from sanssouci.locale import translate
from sanssouci.notation import write_card, write_column, write_refusal, write_square
from sanssouci.rules import (
    COLUMNS,
    EXPANSIONS,
    FREE,
    IMPERIAL,
    LEAVES,
    ROWS,
    Card,
    Column,
    Motif,
    Refusal,
    Row,
    Space,
    Square,
    Turn,
    colour_rows,
    column_of,
    row_of,
    row_of_space,
)

from .edition import Edition, load_edition

SHORT = 5
MAX_NAMED = 5
"""Longer lists of squares are only counted."""


class Words:
    """Texts in one language for one edition."""

    def __init__(self, language: str, edition: str) -> None:
        self.language = language
        self.edition: Edition = load_edition(edition)

    def translate(self, key: str, **args: object) -> str:
        """A sentence."""
        return translate(key, self.language, **args)

    def motif(self, motif: Motif) -> str:
        """The name of a motif."""
        return self.edition.columns[motif][self.language]

    def short_motif(self, motif: Motif) -> str:
        """A name that fits over a column."""
        return self.motif(motif)[:SHORT].strip()

    def row(self, row: Row) -> str:
        """The colour of a row."""
        return self.edition.rows[row - 1].names[self.language]

    def motifs(self) -> dict[str, str]:
        """All motifs by their letters."""
        return {write_column(motif): self.motif(motif) for motif in COLUMNS}

    def rows(self) -> dict[str, str]:
        """All colours by the numbers of their rows."""
        return {str(row): self.row(row) for row in ROWS}

    def expansions(self) -> dict[str, str]:
        """The names of all expansions."""
        return {name: self.expansion(name) for name in EXPANSIONS}

    def filled(self, text: str) -> str:
        """A text of the rules, with the names of the edition filled in."""
        for name, value in (self.motifs() | self.rows() | self.expansions()).items():
            text = text.replace("{" + name + "}", value)
        return text

    def expansion(self, name: str) -> str:
        """The name of an expansion; of one the edition does not have, as the other calls it."""
        names = self.edition.expansions.get(name) or load_edition(IMPERIAL).expansions[name]
        return names[self.language]

    def card(self, card: Card) -> str:
        """A card, with its sign in the notation."""
        rows = colour_rows(card)
        if rows is not None:
            low, high = rows
            return self.translate(
                "word.colour_card", low=low, high=high, first=self.row(low), second=self.row(high)
            )
        if card == FREE:
            return self.translate("word.free_card")
        return self.translate("word.motif_card", motif=self.motif(card), letter=write_card(card))

    def card_name(self, card: Card) -> str:
        """A card as it looks, without its sign in the notation."""
        rows = colour_rows(card)
        if rows is not None:
            low, high = rows
            return self.translate(
                "word.colour_card_name", low=low, high=high, first=self.row(low), second=self.row(high)
            )
        return self.translate("word.free_choice") if card == FREE else self.motif(card)

    def column(self, column: Column) -> str:
        """A column, by the letter and the motif above it."""
        return self.translate("word.column", motif=self.motif(column), letter=write_column(column))

    def tile(self, motif: Motif) -> str:
        """A tile."""
        return self.translate("word.tile", motif=self.motif(motif), letter=write_column(motif))

    def space(self, space: Space) -> str:
        """A space of the display."""
        row = row_of_space(space)
        return self.translate("word.space", space=space, row=row, colour=self.row(row))

    def noble(self, column: Column) -> str:
        """The noble of a column."""
        return self.translate("word.noble", motif=self.motif(column), letter=write_column(column))

    def place(self, row: Row) -> str:
        """The position of a noble: a row or the terrace."""
        return self.translate("word.in_row", row=row) if row else self.translate("word.on_terrace")

    def points(self, points: int) -> str:
        """A number of points."""
        singular = abs(points) == 1 or (points == 0 and self.language == "fr")
        return self.translate("word.point" if singular else "word.points", points=points)

    def number(self, number: float) -> str:
        """A number with one decimal."""
        return f"{number:.1f}".replace(".", self.translate("word.decimal"))

    def refusal(self, refusal: Refusal) -> str:
        """Why something is not allowed."""
        return write_refusal(refusal, self.language)

    def reward(self, points: int) -> list[str]:
        """The points that a marked square scored, if any."""
        if not points:
            return []
        key = "turn_text.reward_gain" if points > 0 else "turn_text.reward_loss"
        return [self.translate(key, points=self.points(abs(points)))]

    def turn(self, name: str, turn: Turn, motif: Motif, reward: int = 0) -> list[str]:
        """The effects of a turn, one sentence each; ``reward`` is the score of a marked square."""
        laid = "turn_text.gardener" if turn.gardener else "turn_text.structure"
        lines = [
            self.translate("turn_text.card", name=name, card=self.card(turn.card)),
            self.translate(
                laid, name=name, tile=self.tile(motif), space=turn.space, square=write_square(turn.square)
            ),
            *self.reward(reward),
        ]
        if turn.boar == LEAVES:
            lines.append(self.translate("turn_text.boar_leaves", points=self.points(4)))
        elif turn.boar is not None:
            lines.append(
                self.translate("turn_text.boar", square=write_square(turn.boar), points=self.points(1))
            )
        if turn.noble is not None:
            column, row = column_of(turn.noble), row_of(turn.noble)
            lines.append(
                self.translate(
                    "turn_text.noble",
                    noble=self.noble(column),
                    square=write_square(turn.noble),
                    points=self.points(row),
                )
            )
        return lines

    def square(self, square: Square) -> str:
        """A square."""
        return write_square(square)

    def squares(self, squares: Sequence[Square]) -> str:
        """A list of squares; a long one is only counted."""
        if len(squares) > MAX_NAMED:
            return self.translate("word.squares", count=len(squares))
        return self.all_of([write_square(square) for square in squares])

    def all_of(self, things: Sequence[str]) -> str:
        """``c3, c4 and d4``."""
        return self._listed(things, self.translate("word.and_i" if things[-1][:1] == "i" else "word.and"))

    def one_of(self, things: Sequence[str]) -> str:
        """``c3, c4 or d4``."""
        return self._listed(things, self.translate("word.or"))

    def _listed(self, things: Sequence[str], between: str) -> str:
        *before, last = things
        return f"{', '.join(before)}{between}{last}" if before else last
