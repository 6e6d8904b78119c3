"""Reading a record: its form is checked before any turn is replayed."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from sanssouci.locale import UserError, printable, translate
from sanssouci.rules import (
    EDITIONS,
    EXPANSIONS,
    PARTS,
    REWARDS,
    SEATS,
    WILD_BOAR,
    Card,
    Code,
    Deal,
    Marks,
    Missions,
    Motif,
    Refusal,
    Squares,
    Variant,
    deal_refusal,
    set_of,
)

from .cards import parse_card
from .error import NotationError
from .files import read_file
from .record import FORMAT, Record
from .refusals import write_refusal
from .rewards import parse_marks
from .squares import parse_column, parse_squares
from .strict_json import LARGEST, parse_json

T = TypeVar("T")

_REQUIRED = ("format", "edition", "expansions", "seats", "setup", "turns")
_OPTIONAL = ("result", "fair", "boards")
_SETUP = ("gardens", "missions", "decks", "tiles")
_RESULT = ("scores", "gardeners", "winners", "parts")
_FAIR = ("scheme", "game", "commitment", "nonces", "seed")
_BOARDS = ("name", "sha256", "dealt", "sides")
_HASH = re.compile("[0-9a-fA-F]{64}")
_HEX = re.compile("([0-9a-fA-F]{2})*")


class RecordError(UserError):
    """A record that is not one: where it goes wrong, by which rule if one is broken, and why."""

    turn: int | None = None
    """The turn, counted from 1, if it is one that is wrong."""
    turn_text: str = ""

    def __init__(self, where: str, key: str, rule: str | None = None, **details: object) -> None:
        super().__init__(key, **details)
        self.where = where
        self.rule = rule

    def at_turn(self, number: int, text: str) -> "RecordError":
        """The same, said of a turn."""
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
            return self.where
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
    if not isinstance(document, dict):
        raise RecordError("", "record.not_an_object")
    if document.get("format") != FORMAT:
        raise RecordError("format", "record.unknown_format", wanted=FORMAT)
    _keys(document, "", _REQUIRED)
    edition = _text(document["edition"], "edition")
    if edition not in EDITIONS:
        raise RecordError("edition", "record.unknown_edition", known=", ".join(EDITIONS))
    expansions = _expansions(document["expansions"])
    seats = tuple(_seat(seat, f"seats[{i}]") for i, seat in enumerate(_list(document["seats"], "seats")))
    turns = [_text(turn, f"turns[{i}]") for i, turn in enumerate(_list(document["turns"], "turns"))]
    deal = _deal(document["setup"], edition, expansions, len(seats))
    return Record(
        deal,
        seats,
        tuple(turns),
        _result(document["result"], len(seats)) if "result" in document else None,
        _fair(document["fair"], len(seats)) if "fair" in document else None,
        _boards(document["boards"]) if "boards" in document else None,
        {name: value for name, value in document.items() if name not in _REQUIRED + _OPTIONAL},
    )


def _expansions(value: object) -> list[str]:
    names = [_text(name, "expansions") for name in _list(value, "expansions")]
    if names != [name for name in EXPANSIONS if name in names]:
        raise RecordError("expansions", "record.bad_expansions", known=", ".join(EXPANSIONS))
    return names


def _seat(value: object, where: str) -> dict[str, Any]:
    seat = _object(value, where)
    _keys(seat, where, ("name",))
    _text(seat["name"], f"{where}.name")
    return seat


def _deal(value: object, edition: str, expansions: list[str], seats: int) -> Deal:
    if seats not in SEATS:
        raise RefusedRecord("seats", Refusal.of(Code.WRONG_SEATS, seats=seats))
    setup = _object(value, "setup")
    _keys(setup, "setup", _SETUP, optional=("rewards",), closed=True)
    noted = _Noted()
    decks = noted.each("R4", setup["decks"], "setup.decks", _deck)
    variant = Variant(
        seats, edition, REWARDS in expansions, WILD_BOAR in expansions, set_of(decks[0]) if decks else 0
    )
    deal = Deal(
        variant,
        noted.each("R2", setup["gardens"], "setup.gardens", _garden),
        noted.each("R5", setup["missions"], "setup.missions", _missions),
        decks,
        noted.each("R3", list(_text(setup["tiles"], "setup.tiles")), "setup.tiles", _tile),
        _reward_sides(setup, noted),
    )
    refusal = deal_refusal(deal)
    if refusal is not None:
        raise noted.faults.get(refusal.rule) or RefusedRecord("setup", refusal)
    return deal


def _reward_sides(setup: dict[str, Any], noted: "_Noted") -> tuple[Marks, ...]:
    """R29: reward boards are there exactly when rewards are played; an empty list is there too."""
    if "rewards" not in setup:
        return ()
    return noted.each("R29", setup["rewards"], "setup.rewards", _reward_side) or (0,)


class _Noted:
    """Reads the parts of a set-up. A part that cannot be read breaks the rule it is about and counts as
    empty, so that of several faults the one with the first rule is told.
    """

    def __init__(self) -> None:
        self.faults: dict[str, RecordError] = {}

    def each(self, rule: str, value: object, where: str, read: Callable[[object, str], T]) -> tuple[T, ...]:
        """All of a list, or nothing if one of them says nothing."""
        found = []
        for place, item in enumerate(_list(value, where)):
            here = f"{where}[{place}]"
            try:
                found.append(read(item, here))
            except NotationError as error:
                self.faults.setdefault(rule, RecordError(here, error.key, rule, **error.details))
        return () if rule in self.faults else tuple(found)


def _garden(value: object, where: str) -> Squares:
    return parse_squares([_text(text, where) for text in _list(value, where)])


def _tile(value: object, where: str) -> Motif:
    return parse_column(_text(value, where))


def _deck(value: object, where: str) -> tuple[Card, ...]:
    return tuple(parse_card(_text(text, where)) for text in _list(value, where))


def _missions(value: object, where: str) -> Missions:
    return tuple(parse_column(_text(text, where)) for text in _list(value, where))


def _reward_side(value: object, where: str) -> Marks:
    return parse_marks({square: _text(mark, where) for square, mark in _object(value, where).items()})


def _result(value: object, seats: int) -> dict[str, Any]:
    result = _object(value, "result")
    _keys(result, "result", _RESULT, closed=True)
    for name in ("scores", "gardeners", "winners"):
        for number in _list(result[name], f"result.{name}"):
            _whole(number, f"result.{name}")
    for place, parts in enumerate(_list(result["parts"], "result.parts")):
        where = f"result.parts[{place}]"
        _keys(_object(parts, where), where, PARTS, closed=True)
        for name, number in parts.items():
            _whole(number, f"{where}.{name}")
    if any(len(result[name]) != seats for name in ("scores", "gardeners", "parts")):
        raise RecordError("result", "record.result_seats", seats=seats)
    return result


def _fair(value: object, seats: int) -> dict[str, Any]:
    fair = _object(value, "fair")
    _keys(fair, "fair", _FAIR, closed=True)
    _text(fair["scheme"], "fair.scheme")
    if type(fair["game"]) is not int:
        _text(fair["game"], "fair.game")
    for name in ("commitment", "seed"):
        _matching(_HASH, fair[name], f"fair.{name}")
    nonces = _list(fair["nonces"], "fair.nonces")
    if len(nonces) != seats:
        raise RecordError("fair.nonces", "record.nonces", seats=seats)
    for nonce in nonces:
        _matching(_HEX, nonce, "fair.nonces")
    return fair


def _boards(value: object) -> dict[str, Any]:
    boards = _object(value, "boards")
    _keys(boards, "boards", _BOARDS, closed=True)
    _text(boards["name"], "boards.name")
    _matching(_HASH, boards["sha256"], "boards.sha256")
    return boards


def _keys(
    table: dict[str, Any],
    where: str,
    required: tuple[str, ...],
    optional: tuple[str, ...] = (),
    closed: bool = False,
) -> None:
    for name in required:
        if name not in table:
            raise RecordError(where, "record.missing_field", name=name)
    for name in table:
        if closed and name not in required + optional:
            raise RecordError(where, "record.unknown_field", name=name)


def _object(value: object, where: str) -> dict[str, Any]:
    return _typed(value, dict, where, "record.want_object")


def _list(value: object, where: str) -> list[Any]:
    return _typed(value, list, where, "record.want_list")


def _text(value: object, where: str) -> str:
    return _typed(value, str, where, "record.want_text")


def _whole(value: object, where: str) -> int:
    return _typed(value, int, where, "record.want_whole_number")


def _matching(pattern: re.Pattern[str], value: object, where: str) -> None:
    if not pattern.fullmatch(_text(value, where)):
        raise RecordError(where, "record.want_hex")


def _typed(value: object, kind: type[T], where: str, key: str) -> T:
    if type(value) is not kind:  # true is no whole number
        raise RecordError(where, key)
    return value
