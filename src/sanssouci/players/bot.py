"""Runs an installed player as a program that speaks the engine protocol."""

from collections.abc import Callable

from sanssouci.dealer import BulkGame
from sanssouci.locale import UserError
from sanssouci.notation import write_turn

from .fault import ask_pick, ask_turn
from .guard import check_side, check_turn
from .player import Player
from .protocol import (
    PROTOCOL,
    Message,
    hello,
    parse_message,
    read_new_game,
    read_setup_view,
    read_view,
)
from .registry import describe_error, make_player


class Bot:
    """Answers one message after another; an invalid message gets an error as its answer."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._player: Player | None = None
        self.quitting = False
        """Whether the bot has been asked to quit."""

    def answer(self, line: bytes) -> Message | None:
        """The answer to a line, or None if it needs none."""
        number = None
        try:
            message = parse_message(line)
            number = message.get("id")
            return self._answer(message)
        except UserError as user_error:
            reason = str(user_error)
        except Exception as error:  # a view that no game can come to
            reason = describe_error(error)
        return {"type": "error", "message": reason} | ({} if number is None else {"id": number})

    def _answer(self, message: Message) -> Message | None:
        answers: dict[str, Callable[[Message], Message | None]] = {
            "hello": self._hello,
            "new_game": self._begin,
            "pick": self._pick,
            "turn": self._turn,
            "result": self._end,
            "quit": self._quit,
        }
        if message["type"] not in answers:
            raise UserError("protocol.unknown_type", found=message["type"], known=", ".join(answers))
        return answers[message["type"]](message)

    def _hello(self, message: Message) -> Message:
        if type(found := message.get("protocol")) is not int or found != PROTOCOL:
            raise UserError("program.protocol", found=found, wanted=PROTOCOL)
        return hello() | {"name": self._name}

    def _begin(self, message: Message) -> None:
        seat, budget, seed = read_new_game(message)
        self._player = make_player(self._name, BulkGame(seed, 0).stream(seat), budget)

    def _pick(self, message: Message) -> Message:
        view = read_setup_view(message)
        if not view.sides():
            raise UserError("protocol.no_pick")
        side = ask_pick(self._playing(), view, lambda side: check_side(view, side))
        return {"type": "pick", "id": message.get("id"), "side": side}

    def _turn(self, message: Message) -> Message:
        view = read_view(message)
        if not view.options():
            raise UserError("protocol.no_turn")
        turn = ask_turn(self._playing(), view, lambda turn: check_turn(view, turn))
        return {"type": "turn", "id": message.get("id"), "turn": write_turn(turn)}

    def _playing(self) -> Player:
        if self._player is None:
            raise UserError("protocol.no_game")
        return self._player

    def _end(self, message: Message) -> None:
        self._player = None

    def _quit(self, message: Message) -> None:
        self.quitting = True
