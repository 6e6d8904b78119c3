"""The journal of an arena, ``sanssouci-arena/1``: a line of settings, then a line for every finished game.

Finished games are appended line by line, so however a run ends, they are not played again. An incomplete last
line is dropped.
"""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Annotated, Any, BinaryIO, NotRequired

from pydantic import Field, FiniteFloat
from typing_extensions import TypedDict

from sanssouci.locale import UserError, os_error_reason
from sanssouci.notation import check_range, read_typed_json
from sanssouci.players import PlayerFault

from .match import Match
from .outcome import GameId, Loss, Outcome
from .seating import write_seating

FORMAT = "sanssouci-arena/1"
_OPTIONS = {
    "format": "format",
    "players": "--players",
    "seats": "--seats",
    "edition": "--edition",
    "expansions": "--expansions",
    "boards": "--boards",
    "budget": "--time, --rollouts",
    "seed": "--seed",
}
"""The settings in the order of the first line, and the command-line option of each."""
_LONGEST_LINE = 1 << 20
_TURNS = 18
_Turns = Annotated[int, Field(ge=0, le=_TURNS)]
_MOST_POINTS = 400
"""More than any garden, missions and expansions together can give."""


class FaultLine(TypedDict):
    """Why a seat has lost a game."""

    seat: int
    turn: int
    reason: str


class GameLine(TypedDict):
    """The line of a finished game."""

    deal: Annotated[int, Field(ge=1)]
    seating: str
    scores: list[Annotated[int, Field(ge=0, le=_MOST_POINTS)]]
    gardeners: list[_Turns]
    turns: list[_Turns]
    seconds: list[Annotated[FiniteFloat, Field(ge=0)]]
    faults: NotRequired[list[FaultLine]]


class Journal:
    """A journal locked by this process; the file does not change before ``begin``."""

    def __init__(self, path: Path) -> None:
        """Open and lock an existing file and read its first line; ``UserError`` if it is not a journal."""
        self.path = path
        self.settings: dict[str, Any] | None = None
        """The first line, if there is one."""
        self._file: BinaryIO | None = None
        self._end = 0
        self._read = False
        self._new = not os.path.exists(path)  # noqa: PTH110 - never raises
        self._made = False
        if not self._new:
            self._open("r+b")
            try:
                self.settings = self._first_line()
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def outcomes(self, match: Match) -> Iterator[Outcome]:
        """All finished games; ``UserError`` if they are not of this match."""
        if self.settings is None or self._file is None:
            return
        self._compare({"format": FORMAT, **match.settings()})
        places = {write_seating(seating): place for place, seating in enumerate(match.seatings)}
        results: dict[GameId, int] = {}
        for number, line in enumerate(self._whole_lines(), start=2):
            try:
                outcome = _outcome(line, match, places)
            except (ValueError, LookupError):
                raise self._journal_error(UserError("arena.bad_line", line=number)) from None
            result = hash((outcome.scores, outcome.gardeners, outcome.at_fault))
            if results.setdefault(outcome.game, result) != result:
                raise self._journal_error(UserError("arena.contradiction", line=number))
            yield outcome
        self._read = True

    def begin(self, match: Match) -> None:
        """Prepare the file for more games: write its first line, or cut off an incomplete last one."""
        if self._file is None:
            self._open("x+b")
        if self.settings is None:
            self._write({"format": FORMAT, **match.settings()})
        else:
            assert self._read, "what is there must be known before anything is cut off"
            self._cut()

    def write(self, outcome: Outcome) -> None:
        """Append a finished game and flush it to the operating system."""
        line: GameLine = {
            "deal": outcome.game[0],
            "seating": write_seating(outcome.seating),
            "scores": list(outcome.scores),
            "gardeners": list(outcome.gardeners),
            "turns": list(outcome.turns),
            "seconds": list(outcome.seconds),
        }
        if outcome.losses:
            line["faults"] = list(map(_write_fault, outcome.losses))
        self._write(line)

    def discard(self) -> None:
        """Delete a journal that was begun for a run that does not start.

        Only a file that this run created is deleted, while it is locked, so no other process can be using it.
        """
        if self._made:
            with contextlib.suppress(OSError):
                self.path.unlink()
        self.close()

    def close(self) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()
            self._file = None

    def _open(self, mode: str) -> None:
        try:
            if not self._new and not self.path.is_file():
                raise self._journal_error(UserError("file.not_a_file"))
            self._file = self.path.open(mode)  # type: ignore[assignment]  # both modes are binary
        except UserError:
            raise
        except FileExistsError:  # another run has begun it a moment ago
            raise self._journal_error(UserError("arena.journal_locked")) from None
        except (OSError, ValueError) as error:
            raise self._unwritable(error) from None
        assert self._file is not None
        if not _lock(self._file) or not os.fstat(self._file.fileno()).st_nlink:
            self.close()
            raise self._journal_error(UserError("arena.journal_locked"))
        self._made = self._new

    def _first_line(self) -> dict[str, Any] | None:
        assert self._file is not None
        line = self._file.readline(_LONGEST_LINE)
        if not line:
            return None
        settings: Any
        try:
            settings = json.loads(line)
        except ValueError:
            settings = None
        known = isinstance(settings, dict) and settings.get("format") == FORMAT
        if not line.endswith(b"\n") or not known or not isinstance(settings.get("seed"), str):
            raise self._journal_error(UserError("arena.no_journal", wanted=FORMAT))
        self._end = len(line)
        return dict(settings)

    def _compare(self, wanted: dict[str, Any]) -> None:
        assert self.settings is not None
        for name, option in _OPTIONS.items():
            was, now = self.settings.get(name), wanted[name]
            if was != now:
                raise self._journal_error(
                    UserError("arena.other_match", option=option, was=_short(was), now=_short(now))
                )

    def _whole_lines(self) -> Iterator[bytes]:
        assert self._file is not None
        self._file.seek(self._end)
        while (line := self._file.readline(_LONGEST_LINE)).endswith(b"\n"):
            yield line
            self._end += len(line)

    def _cut(self) -> None:
        assert self._file is not None
        try:
            self._file.seek(self._end)
            self._file.truncate()
        except OSError as error:
            raise self._unwritable(error) from None

    def _write(self, document: Mapping[str, Any]) -> None:
        assert self._file is not None
        try:
            self._file.write(json.dumps(document, separators=(",", ":")).encode("ascii") + b"\n")
            self._file.flush()
        except OSError as error:
            raise self._unwritable(error) from None

    def _unwritable(self, error: OSError | ValueError) -> UserError:
        return UserError("cli.unwritable", path=self.path, reason=os_error_reason(error))

    def _journal_error(self, reason: UserError) -> UserError:
        return UserError("cli.in_file", path=self.path, sentence=reason)


def _lock(file: BinaryIO) -> bool:
    """Lock the file; False if another process holds the lock. Systems without file locks always succeed."""
    try:
        import fcntl  # noqa: PLC0415 - not every system has it
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _outcome(line: bytes, match: Match, places: dict[str, int]) -> Outcome:
    """The game of a line; ``ValueError`` or ``LookupError`` if it is not one of this match."""
    game = read_typed_json(GameLine, line)
    place, turns, seats = places[game["seating"]], game["turns"], match.variant.seats
    if any(len(row) != seats for row in (game["scores"], game["gardeners"], turns, game["seconds"])):
        raise ValueError("these are the results of other seats")
    losses = tuple(_loss(fault, match) for fault in game.get("faults", ()))
    short = {loss.fault.seat for loss in losses}
    if any(count != _TURNS for seat, count in enumerate(turns) if seat not in short):
        raise ValueError("a seat without a fault plays every turn")
    return Outcome(
        (game["deal"], place),
        match.seatings[place],
        tuple(game["scores"]),
        tuple(game["gardeners"]),
        tuple(turns),
        tuple(game["seconds"]),
        losses,
    )


def _write_fault(loss: Loss) -> FaultLine:
    """Why a seat lost, in English, without the transcript of its engine."""
    return {"seat": loss.fault.seat, "turn": loss.fault.turn, "reason": loss.fault.why()}


def _loss(fault: FaultLine, match: Match) -> Loss:
    check_range(fault["seat"], range(match.variant.seats), "seat")
    check_range(fault["turn"], range(match.variant.turns + 1), "turn")
    return Loss(PlayerFault.at(fault["seat"], fault["turn"], fault["reason"]))


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {part}" for name, part in value.items() if part is not None) or "-"
    return ", ".join(map(str, value)) or "-" if isinstance(value, list) else str(value)
