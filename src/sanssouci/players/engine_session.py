"""A session with an engine, from hello to quit."""

import contextlib
import time
from typing import Any

from sanssouci.locale import UserError, printable

from .engine_process import EngineFault, EngineProcess
from .protocol import PROTOCOL, Message, hello, parse_message, quit_message, write_message

Transcript = list[dict[str, Any]]
"""The messages with their times: ``at`` and ``to``, ``from`` or ``from_text``; ``stderr``."""
_QUIT = 0.5
"""Seconds for an engine to read ``quit``."""
_LAST_LINES = 2
_LAST_WORDS = 200
"""Characters of standard error in a message; the transcript has more."""


class EngineSession:
    """Messages to and from a running engine. An ``EngineFault`` ends the session.

    Every message is added to the transcript, with the seconds since the game began. When the engine ends, the
    last part of its standard error is added too.
    """

    def __init__(self, words: tuple[str, ...], seconds: float, said: Transcript) -> None:
        """Start the engine; it must answer hello in time."""
        self.begin(said)
        self._questions = 0
        self._ended = False
        self._engine = EngineProcess(words)
        answer = self.ask(hello(), seconds)
        if type(answer.get("protocol")) is not int or answer["protocol"] != PROTOCOL:
            raise self._fault(EngineFault("program.protocol", found=answer.get("protocol"), wanted=PROTOCOL))

    def begin(self, said: Transcript) -> None:
        """Begin a game with a new transcript."""
        self._said, self._begun = said, time.monotonic()

    def next_question(self) -> int:
        """The number of the next question."""
        self._questions += 1
        return self._questions

    def send(self, message: Message, seconds: float) -> None:
        """Send a message that needs no answer; the engine must read it in time."""
        try:
            self._send(message, time.monotonic() + seconds)
        except (EngineFault, TimeoutError) as error:
            raise self._fault(_reason(error, seconds)) from None
        except BaseException:
            self.end()
            raise

    def ask(self, question: Message, seconds: float) -> Message:
        """Send a question and return the answer; both must happen in time."""
        deadline = time.monotonic() + seconds
        try:
            if unexpected := self._engine.unexpected_output():
                line = unexpected.partition(b"\n")[0]
                self._note("from", line)
                raise EngineFault("program.unasked", text=_text(line))
            self._send(question, deadline)
            line = self._engine.read_line(deadline)
            self._note("from", line)
            return _answer(line, question)
        except (EngineFault, TimeoutError) as error:
            raise self._fault(_reason(error, seconds)) from None
        except BaseException:  # Ctrl-C: a program in the middle of an answer is of no use any more
            self.end()
            raise

    def end(self, politely: bool = False) -> None:
        """Stop the engine; politely, it gets a ``quit`` message and a moment first."""
        if self._ended:
            return
        self._ended = True
        if politely:
            with contextlib.suppress(EngineFault, TimeoutError):
                self._send(quit_message(), time.monotonic() + _QUIT)
        self._engine.end(politely)
        if words := self._engine.last_words:
            self._said.append({"stderr": words})

    def _send(self, message: Message, deadline: float) -> None:
        self._said.append({"at": self._now(), "to": message})
        self._engine.write_line(write_message(message), deadline)

    def _note(self, name: str, line: bytes) -> None:
        """Add a line of the engine to the transcript, as a message if it is one, else as text."""
        try:
            self._said.append({"at": self._now(), name: parse_message(line)})
        except UserError:
            self._said.append(
                {"at": self._now(), f"{name}_text": line.decode("utf-8", "backslashreplace")[:1000]}
            )

    def _now(self) -> float:
        return round(time.monotonic() - self._begun, 6)

    def _fault(self, reason: EngineFault) -> EngineFault:
        """Stop the engine; returns the fault with its last words on standard error."""
        self.end()
        last = self._engine.last_words.splitlines()[-_LAST_LINES:]
        words = " ".join(" ".join(last).split())[-_LAST_WORDS:]
        return EngineFault("program.fault_words", reason=reason, words=words) if words else reason


def _answer(line: bytes, question: Message) -> Message:
    """The message of a line, if it answers the question."""
    try:
        answer = parse_message(line)
    except UserError as user_error:
        raise EngineFault("program.no_message", text=_text(line), reason=user_error) from None
    if answer["type"] == "error":
        raise EngineFault("program.gives_up", text=printable(answer.get("message")))
    if answer["type"] != question["type"]:
        raise EngineFault("program.wrong_type", found=answer["type"], wanted=question["type"])
    number = question.get("id")
    if number is not None and (type(answer.get("id")) is not int or answer["id"] != number):
        raise EngineFault("program.wrong_id", found=answer.get("id"), wanted=number)
    return answer


def _reason(error: Exception, seconds: float) -> EngineFault:
    return error if isinstance(error, EngineFault) else EngineFault("program.late", seconds=f"{seconds:g}")


def _text(line: bytes) -> str:
    return printable(line.decode("utf-8", "replace"), 60)
