"""Hostile frames for a WebSocket: commands gone bad, and what no client would ever send."""

import struct
from dataclasses import dataclass
from typing import Any

from ..lot import Lot
from .malice import TURNS, Malice, write
from .prey import Prey

Json = dict[str, Any]

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
_KEY = b"\x01\x02\x03\x04"


@dataclass(frozen=True)
class Frames:
    """What is sent at once."""

    kind: str
    data: bytes
    ends: bool
    """Whether the server closes the socket; else it answers."""


def frame(
    opcode: int, payload: bytes, *, final: bool = True, masked: bool = True, reserved: int = 0
) -> bytes:
    """One frame, as a client sends it or as it should not."""
    first = bytes([final << 7 | reserved << 4 | opcode])
    size, mark = len(payload), masked << 7
    if size < 126:
        head = first + bytes([mark | size])
    elif size < 1 << 16:
        head = first + bytes([mark | 126]) + struct.pack("!H", size)
    else:
        head = first + bytes([mark | 127]) + struct.pack("!Q", size)
    if not masked:
        return head + payload
    key = int.from_bytes((_KEY * (size // 4 + 1))[:size], "big")
    return head + _KEY + (int.from_bytes(payload, "big") ^ key).to_bytes(size, "big")


class Words:
    """Hostile messages on one server's sockets."""

    def __init__(self, prey: Prey, lot: Lot) -> None:
        self._prey = prey
        self._lot = lot
        self._malice = Malice(lot)
        self._ids = 0

    def refusable(self) -> Frames:
        """A command that can be read, and has to be refused."""
        return Frames("refused command", frame(TEXT, write(self._order(self._bad_command())).encode()), False)

    def stale(self) -> bytes:
        """A command that comes too late: the answer is long."""
        order = self._order({"type": "pick", "side": 0}) | {"expected_seq": 0}
        return frame(TEXT, write(order).encode())

    def unreadable(self) -> Frames:
        """What cannot be read: the socket is closed."""
        lot, malice = self._lot, self._malice
        order = self._order({"type": "play", "turn": "36@2-g3/g3"})
        good = write(order).encode()
        choices = (
            ("spoilt command", frame(TEXT, malice.spoilt({**order, "type": "Command"}))),
            ("binary", frame(BINARY, good)),
            ("invalid UTF-8", frame(TEXT, good + b"\xff")),
            ("too large", frame(TEXT, b" " * 16_385)),
            ("too large in pieces", frame(TEXT, b" " * 9000, final=False) + frame(CONTINUED, b" " * 9000)),
            ("said to be huge", b"\x81\xff" + struct.pack("!Q", 1 << 62) + _KEY),
            ("not masked", frame(TEXT, good, masked=False)),
            ("reserved bit", frame(TEXT, good, reserved=1 + lot.below(7))),
            ("no such opcode", frame(3 + lot.below(5), good)),
            ("continued nothing", frame(CONTINUED, good)),
            ("two beginnings", frame(TEXT, good, final=False) + frame(TEXT, good)),
            ("long ping", frame(PING, b"x" * 126)),
            ("ping flood", frame(PING, b"x") * 500 + frame(CLOSE, b"\x03\xe8")),
            ("bad close", frame(CLOSE, b"\x00")),
            ("close without a reason", frame(CLOSE, b"\x03\xe8\xff\xfe")),
            ("noise", malice.noise(2 + lot.below(60)) + frame(CLOSE, b"")),
        )
        kind, data = lot.one(choices)
        return Frames(kind, data, True)

    def harmless(self) -> Frames:
        """Odd, but allowed: a command in pieces, with pings between."""
        data = write(self._order(self._bad_command())).encode()
        parts = [data[at : at + 16] for at in range(0, len(data), 16)]
        pieces = [frame(TEXT if at == 0 else CONTINUED, part, final=False) for at, part in enumerate(parts)]
        pings = [frame(PING, b"x" * self._lot.below(126)) for _ in parts]
        mixed = b"".join(piece + ping for piece, ping in zip(pieces, pings, strict=True))
        return Frames("command in pieces", mixed + frame(CONTINUED, b""), False)

    def hello(self) -> Frames:
        """A first word that opens nothing."""
        hello: Json = {
            "type": "hello",
            "ticket": self._lot.one(("A" * 43, "", "x", self._prey.token)),
            "seq": 0,
        }
        data = write(hello).encode() if self._lot.often(30) else self._malice.spoilt({**hello, "ticket": "x"})
        return Frames("hello", frame(TEXT, data), True)

    def _bad_command(self) -> Json:
        lot = self._lot
        match lot.below(5):
            case 0:
                turn = lot.one(TURNS)
                return {"type": "play", "turn": (turn + "      ")[:20] if len(turn) < 6 else turn[:20]}
            case 1:
                return {"type": "pick", "side": 1}
            case 2:
                return {"type": "vote", "chair": lot.below(4)}
            case 3:
                return {
                    "type": "play",
                    "turn": f"{lot.below(70)}@{lot.below(10)}-{lot.one('abcdefghi')}{lot.below(9)}",
                }
            case _:
                return {
                    "type": "appoint",
                    "chair": lot.below(4),
                    "player": lot.one(("cmd:true", "greedy", "x")),
                }

    def _order(self, command: Json) -> Json:
        self._ids += 1
        return {
            "type": "command",
            "command_id": f"h{self._ids}" if self._lot.often(80) else "same",
            "expected_seq": self._prey.seq if self._lot.often(85) else self._lot.one((-1, 0, 1_000_000)),
            "command": command,
        }
