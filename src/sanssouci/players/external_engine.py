"""A player that is an external program, controlled through the engine protocol.

Only an ``ExternalEngine`` is ever run, and only the command line makes one, from what was typed there. A text
like ``cmd:bot`` in a record, a journal or a saved game is a name that no player has.
"""

import atexit
import contextlib
import shlex
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, TypeVar

from typing_extensions import TypedDict

from sanssouci.dealer import Seed, Stream
from sanssouci.locale import printable
from sanssouci.notation import NotationError, parse_turn, read_typed, within
from sanssouci.rules import Result, SetupView, Turn, View

from .engine_process import EngineFault
from .engine_session import EngineSession, Transcript
from .player import Budget
from .protocol import Message, game_result, new_game, pick_question, turn_question

T = TypeVar("T")

PREFIX = "cmd:"
LIMIT = 10.0
_FIRST = 10
"""The answer to hello may take this many times the limit: the program must load first."""


class PickAnswer(TypedDict):
    """The field of an answer to ``pick``; whether the side exists is for the rules to say."""

    side: Annotated[int, within(range(-(1 << 31), 1 << 31))]


class TurnAnswer(TypedDict):
    """The field of an answer to ``turn``; whether it is legal is for the rules to say."""

    turn: str


@dataclass(frozen=True, slots=True)
class ExternalEngine:
    """An engine as a player: the words of its command line."""

    words: tuple[str, ...]
    limit: float = LIMIT
    """Seconds that an answer may take in addition to the budget."""

    def __str__(self) -> str:
        """Its name in results and records; typed like this it is the same engine."""
        line = " ".join(map(_quoted, self.words))
        return PREFIX + (shlex.quote(line) if len(self.words) == 1 and line[0] in "\"'" else line)


def _quoted(word: str) -> str:
    """A word with quotes where the shell needs them, or where a comma would separate players."""
    return "'" + word.replace("'", "'\"'\"'") + "'" if "," in word else shlex.quote(word)


class EnginePlayer:
    """Decides for a seat by asking an engine, which starts with the first question."""

    def __init__(self, program: ExternalEngine, stream: Stream, budget: Budget) -> None:
        self._program = program
        self._budget = budget
        self._seed: Seed = b"".join(stream.below(1 << 32).to_bytes(4, "big") for _ in range(8))
        self._session: EngineSession | None = None
        self.said: Transcript = []
        """The transcript of this game."""

    def pick(self, view: SetupView) -> int:
        """The side that the program picks."""
        answer = self._ask(view, lambda number: pick_question(number, view))
        return _read(answer, "side", lambda: read_typed(PickAnswer, answer)["side"])

    def decide(self, view: View) -> Turn:
        """The turn that the program decides on."""
        answer = self._ask(view, lambda number: turn_question(number, view))
        return _read(answer, "turn", lambda: parse_turn(read_typed(TurnAnswer, answer)["turn"]))

    def finish(self, result: Result | None) -> None:
        """Report the result, or stop the engine if there is none.

        A program that has played to the end is kept for its next game, any other is ended.
        """
        session, self._session = self._session, None
        if session is None:
            return
        _playing.discard(session)
        if result is None:
            session.end()
            return
        with contextlib.suppress(EngineFault):  # the game is over: it is too late to lose it
            session.send(game_result(result), self._program.limit)
            _idle[self._program].append(session)

    def _ask(self, view: View | SetupView, question: Callable[[int], Message]) -> Message:
        seconds = self._program.limit + (self._budget.seconds or 0)
        try:
            session = self._session or self._begin(view)
            return session.ask(question(session.next_question()), seconds)
        except BaseException:
            self.finish(None)
            raise

    def _begin(self, view: View | SetupView) -> EngineSession:
        assert view.seat is not None, "a player is asked with its own view"
        self._session = session = _take(self._program, self.said)
        _playing.add(session)
        session.send(new_game(view.variant, view.seat, self._budget, self._seed), self._program.limit)
        return session


_idle: defaultdict[ExternalEngine, list[EngineSession]] = defaultdict(list)
"""Engines that have answered hello and wait for their next game."""
_playing: set[EngineSession] = set()
"""Engines in the middle of a game."""


def check_engine(program: ExternalEngine) -> None:
    """Start an engine and exchange hello, or ``EngineFault``; it then waits for its first game."""
    _idle[program].append(_start(program, []))


@atexit.register
def stop_engines() -> None:
    """Stop all engines; idle ones get a ``quit`` message first."""
    for session in _playing:
        session.end()
    for sessions in _idle.values():
        for session in sessions:
            session.end(politely=True)
    _playing.clear()
    _idle.clear()


def _take(program: ExternalEngine, said: Transcript) -> EngineSession:
    """A waiting engine, or a new one."""
    if not _idle[program]:
        return _start(program, said)
    session = _idle[program].pop()
    session.begin(said)
    return session


def _start(program: ExternalEngine, said: Transcript) -> EngineSession:
    return EngineSession(program.words, _FIRST * program.limit, said)


def _read(answer: Message, name: str, read: Callable[[], T]) -> T:
    """The result of ``read``, or an ``EngineFault`` that quotes the field it is about."""
    try:
        return read()
    except NotationError as error:
        raise EngineFault("program.bad_answer", text=printable(answer.get(name), 60), reason=error) from None
