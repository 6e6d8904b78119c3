"""A player that is anyone's program, spoken to in the engine protocol.

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
"""Saying hello may take so many times the limit: a program must be loaded first."""


class PickAnswer(TypedDict):
    """The field of an answer to ``pick``; whether the side exists is for the rules to say."""

    side: Annotated[int, within(range(-(1 << 31), 1 << 31))]


class TurnAnswer(TypedDict):
    """The field of an answer to ``turn``; whether it is legal is for the rules to say."""

    turn: str


@dataclass(frozen=True, slots=True)
class ExternalEngine:
    """A program as a player: its words, the first of which is run."""

    words: tuple[str, ...]
    limit: float = LIMIT
    """Seconds that an answer may take, beside what the budget gives."""

    def __str__(self) -> str:
        """How it is called in results and records; typed like this it is the same program."""
        line = " ".join(map(_quoted, self.words))
        return PREFIX + (shlex.quote(line) if len(self.words) == 1 and line[0] in "\"'" else line)


def _quoted(word: str) -> str:
    """A word as it is typed; a comma would divide players."""
    return "'" + word.replace("'", "'\"'\"'") + "'" if "," in word else shlex.quote(word)


class EnginePlayer:
    """Decides for a seat by asking a program, which is started when it is first asked something."""

    def __init__(self, program: ExternalEngine, stream: Stream, budget: Budget) -> None:
        self._program = program
        self._budget = budget
        self._seed: Seed = b"".join(stream.below(1 << 32).to_bytes(4, "big") for _ in range(8))
        self._conversation: EngineSession | None = None
        self.said: Transcript = []
        """All that was said in this game, both ways."""

    def pick(self, view: SetupView) -> int:
        """The side that the program picks."""
        answer = self._ask(view, lambda number: pick_question(number, view))
        return _read(answer, "side", lambda: read_typed(PickAnswer, answer)["side"])

    def decide(self, view: View) -> Turn:
        """The turn that the program decides on."""
        answer = self._ask(view, lambda number: turn_question(number, view))
        return _read(answer, "turn", lambda: parse_turn(read_typed(TurnAnswer, answer)["turn"]))

    def finish(self, result: Result | None) -> None:
        """The game is over; or, without a result, this player is not asked any more.

        A program that has played to the end is kept for its next game, any other is ended.
        """
        conversation, self._conversation = self._conversation, None
        if conversation is None:
            return
        _talking.discard(conversation)
        if result is None:
            conversation.end()
            return
        with contextlib.suppress(EngineFault):  # the game is over: it is too late to lose it
            conversation.tell(game_result(result), self._program.limit)
            _resting[self._program].append(conversation)

    def _ask(self, view: View | SetupView, question: Callable[[int], Message]) -> Message:
        seconds = self._program.limit + (self._budget.seconds or 0)
        try:
            conversation = self._conversation or self._begin(view)
            return conversation.ask(question(conversation.next_question()), seconds)
        except BaseException:
            self.finish(None)
            raise

    def _begin(self, view: View | SetupView) -> EngineSession:
        assert view.seat is not None, "a player is asked with its own view"
        self._conversation = conversation = _take(self._program, self.said)
        _talking.add(conversation)
        conversation.tell(new_game(view.variant, view.seat, self._budget, self._seed), self._program.limit)
        return conversation


_resting: defaultdict[ExternalEngine, list[EngineSession]] = defaultdict(list)
"""Programs that have said hello and wait for their next game."""
_talking: set[EngineSession] = set()
"""Programs that are in the middle of a game."""


def check_engine(program: ExternalEngine) -> None:
    """Start a program and let it say hello, or ``EngineFault``; it then waits for its first game."""
    _resting[program].append(_start(program, []))


@atexit.register
def stop_engines() -> None:
    """End all programs; those that are not in the middle of a game are told so."""
    for conversation in _talking:
        conversation.end()
    for conversations in _resting.values():
        for conversation in conversations:
            conversation.end(politely=True)
    _talking.clear()
    _resting.clear()


def _take(program: ExternalEngine, said: Transcript) -> EngineSession:
    """A program that waits for a game, or a new one."""
    if not _resting[program]:
        return _start(program, said)
    conversation = _resting[program].pop()
    conversation.begin(said)
    return conversation


def _start(program: ExternalEngine, said: Transcript) -> EngineSession:
    return EngineSession(program.words, _FIRST * program.limit, said)


def _read(answer: Message, name: str, read: Callable[[], T]) -> T:
    """The result of ``read``, or an ``EngineFault`` that quotes the field it is about."""
    try:
        return read()
    except NotationError as error:
        raise EngineFault("program.bad_answer", text=printable(answer.get(name), 60), reason=error) from None
