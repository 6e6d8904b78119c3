"""Reading a record: its form is checked before any turn is replayed."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from sanssouci.locale import UserError, printable, translate
from sanssouci.rules import (
    REWARDS,
    SEATS,
    WILD_BOAR,
    Deal,
    Refusal,
    RefusalCode,
    Variant,
    deal_refusal,
    set_of,
)

from .cards import parse_card
from .error import NotationError
from .files import read_file
from .record import FORMAT, Record, RecordJson
from .refusals import write_refusal
from .rewards import parse_marks
from .squares import parse_column, parse_squares
from .strict_json import LARGEST, parse_json
from .typed_reader import FieldError, read_typed

S = TypeVar("S")
T = TypeVar("T")


class RecordError(UserError):
    """A record is invalid: the place, the broken rule if any, and the reason."""

    turn: int | None = None
    """The turn, counted from 1, if it is one that is wrong."""
    turn_text: str = ""

    def __init__(self, where: str, key: str, rule: str | None = None, **details: object) -> None:
        super().__init__(key, **details)
        self.where = where
        self.rule = rule

    def at_turn(self, number: int, text: str) -> "RecordError":
        """The same error, with the turn's number and text."""
        self.turn, self.turn_text = number, text
        return self

    def translate(self, language: str = "en") -> str:
        """Place, rule and reason, in one line."""
        colon = translate("word.colon", language)
        return colon.join(
            part for part in (self.place(language), self.rule, super().translate(language)) if part
        )

    def place(self, language: str) -> str:
        """The field, or the turn."""
        if self.turn is None:
            return printable(self.where)
        return translate("record.at_turn", language, turn=self.turn, text=printable(self.turn_text, 40))


class RefusedRecord(RecordError):
    """A record whose set-up or turn the rules refuse."""

    def __init__(self, where: str, refusal: Refusal) -> None:
        super().__init__(where, f"refusal.{refusal.code.text}", refusal.rule)
        self.refusal = refusal

    def translate(self, language: str = "en") -> str:
        """Place, rule and reason, in one line."""
        return f"{self.place(language)}: {write_refusal(self.refusal, language)}"


def read_record(path: Path) -> Record:
    """The record in a file, or ``RecordError``; its turns are not replayed yet."""
    try:
        return parse_record(read_file(path, LARGEST))
    except RecordError:
        raise
    except UserError as error:
        raise RecordError("", error.key, None, **error.details) from None


def parse_record(data: bytes) -> Record:
    """The record in a document, or ``RecordError``; its turns are not replayed yet."""
    try:
        document = parse_json(data)
    except UserError as error:
        key = "record.not_json" if error.key == "json.bad" else error.key
        raise RecordError("", key, None, **error.details) from None
    return read_record_json(document)


def read_record_json(document: object) -> Record:
    """The record that a JSON value holds, or ``RecordError``; its turns are not replayed yet."""
    if not isinstance(document, dict):
        raise RecordError("", "record.not_an_object")
    if document.get("format") != FORMAT:
        raise RecordError("format", "record.unknown_format", wanted=FORMAT)
    try:
        fields = read_typed(RecordJson, document)
    except FieldError as error:
        raise RecordError(error.where, error.key, None, **error.details) from None
    deal = _deal(fields)
    seats, result, fair = len(fields["seats"]), fields.get("result"), fields.get("fair")
    if result and any(len(row) != seats for row in (result["scores"], result["gardeners"], result["parts"])):
        raise RecordError("result", "record.result_seats", seats=seats)
    if fair and len(fair["nonces"]) != seats:
        raise RecordError("fair.nonces", "record.nonces", seats=seats)
    return Record(
        deal,
        tuple(fields["seats"]),
        tuple(fields["turns"]),
        result,
        fair,
        fields.get("boards"),
        {name: value for name, value in document.items() if name not in RecordJson.__annotations__},
    )


def _deal(fields: RecordJson) -> Deal:
    seats, setup, expansions = len(fields["seats"]), fields["setup"], fields["expansions"]
    if seats not in SEATS:
        raise RefusedRecord("seats", Refusal.of(RefusalCode.WRONG_SEATS, seats=seats))
    texts = _SetupTexts()
    decks = texts.parse("R4", "decks", setup["decks"], lambda cards: tuple(map(parse_card, cards)))
    cards = set_of(decks[0]) if decks else 0
    variant = Variant(seats, fields["edition"], REWARDS in expansions, WILD_BOAR in expansions, cards)
    deal = Deal(
        variant,
        texts.parse("R2", "gardens", setup["gardens"], parse_squares),
        texts.parse("R5", "missions", setup["missions"], lambda columns: tuple(map(parse_column, columns))),
        decks,
        texts.parse("R3", "tiles", setup["tiles"], parse_column),
        # R29: reward boards are there exactly when rewards are played; an empty list is there too.
        texts.parse("R29", "rewards", setup["rewards"], parse_marks) or (0,) if "rewards" in setup else (),
    )
    refusal = deal_refusal(deal)
    if refusal is not None:
        raise texts.faults.get(refusal.rule) or RefusedRecord("setup", refusal)
    return deal


class _SetupTexts:
    """Parses the texts of a set-up. A part that cannot be parsed breaks the rule it is about and counts as
    empty, so that of several faults the one with the first rule is reported.
    """

    def __init__(self) -> None:
        self.faults: dict[str, RecordError] = {}

    def parse(self, rule: str, name: str, texts: Iterable[S], parse: Callable[[S], T]) -> tuple[T, ...]:
        """All entries of a part, or none if one of them cannot be parsed."""
        found = []
        for place, text in enumerate(texts):
            try:
                found.append(parse(text))
            except NotationError as error:
                where = f"setup.{name}[{place}]"
                self.faults.setdefault(rule, RecordError(where, error.key, rule, **error.details))
        return () if rule in self.faults else tuple(found)
