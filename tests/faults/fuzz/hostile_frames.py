"""Hostile WebSocket frames: invalid commands, and violations of the protocol."""

import struct
from dataclasses import dataclass
from typing import Any

from ..seeded_random import SeededRandom
from .hostile_values import TURNS, HostileValues, Target, write

Json = dict[str, Any]

CONTINUED, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
_TURN = {"type": "play", "turn": "36@2-g3/g3"}
_KEY = b"\x01\x02\x03\x04"


@dataclass(frozen=True)
class Frames:
    """Frames that are sent at once."""

    kind: str
    data: bytes
    ends: bool
    """Whether the server closes the socket. Otherwise it answers."""


def frame(
    opcode: int, payload: bytes, *, final: bool = True, masked: bool = True, reserved: int = 0
) -> bytes:
    """A frame, valid or not."""
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


class HostileFrames:
    """Generates hostile messages for sockets."""

    def __init__(self, target: Target, rng: SeededRandom) -> None:
        self._target = target
        self._rng = rng
        self._values = HostileValues(rng)
        self._ids = 0

    def refusable(self) -> Frames:
        """A well-formed command that must be refused."""
        return Frames(
            "refused command", frame(TEXT, write(self._message(self._bad_command())).encode()), False
        )

    def stale(self) -> bytes:
        """A stale command, which has a long answer."""
        message = self._message({"type": "pick", "side": 0}) | {"expected_seq": 0}
        return frame(TEXT, write(message).encode())

    def unreadable(self) -> Frames:
        """A malformed message, which closes the socket."""
        rng, values = self._rng, self._values
        good = write(self._message(_TURN)).encode()
        choices = (
            ("corrupted command", frame(TEXT, self.corrupted_command())),
            ("binary", frame(BINARY, good)),
            ("invalid UTF-8", frame(TEXT, good + b"\xff")),
            ("too large", frame(TEXT, b" " * 16_385)),
            ("too large, fragmented", frame(TEXT, b" " * 9000, final=False) + frame(CONTINUED, b" " * 9000)),
            ("huge declared length", b"\x81\xff" + struct.pack("!Q", 1 << 62) + _KEY),
            ("not masked", frame(TEXT, good, masked=False)),
            ("reserved bit", frame(TEXT, good, reserved=1 + rng.below(7))),
            ("unknown opcode", frame(3 + rng.below(5), good)),
            ("unexpected continuation", frame(CONTINUED, good)),
            ("two first frames", frame(TEXT, good, final=False) + frame(TEXT, good)),
            ("long ping", frame(PING, b"x" * 126)),
            ("ping flood", frame(PING, b"x") * 500 + frame(CLOSE, b"\x03\xe8")),
            ("bad close", frame(CLOSE, b"\x00")),
            ("close without a reason", frame(CLOSE, b"\x03\xe8\xff\xfe")),
            ("noise", values.noise(2 + rng.below(60)) + frame(CLOSE, b"")),
        )
        kind, data = rng.choice(choices)
        return Frames(kind, data, True)

    def corrupted_command(self) -> bytes:
        """A command of an unknown type, corrupted in other places too.

        One corruption in a thousand would give it the right type, and the server would answer it.
        """
        data = self._values.corrupted({**self._message(_TURN), "type": "Command"})
        return data.replace(b'"type":"command"', b'"type":"Command"')

    def harmless(self) -> Frames:
        """Unusual but valid: a fragmented command with pings in between."""
        data = write(self._message(self._bad_command())).encode()
        parts = [data[at : at + 16] for at in range(0, len(data), 16)]
        pieces = [frame(TEXT if at == 0 else CONTINUED, part, final=False) for at, part in enumerate(parts)]
        pings = [frame(PING, b"x" * self._rng.below(126)) for _ in parts]
        mixed = b"".join(piece + ping for piece, ping in zip(pieces, pings, strict=True))
        return Frames("fragmented command", mixed + frame(CONTINUED, b""), False)

    def hello(self) -> Frames:
        """An invalid first message."""
        hello: Json = {
            "type": "hello",
            "ticket": self._rng.choice(("A" * 43, "", "x", self._target.token)),
            "seq": 0,
        }
        data = (
            write(hello).encode()
            if self._rng.chance(30)
            else self._values.corrupted({**hello, "ticket": "x"})
        )
        return Frames("hello", frame(TEXT, data), True)

    def _bad_command(self) -> Json:
        rng = self._rng
        match rng.below(5):
            case 0:
                turn = rng.choice(TURNS)
                return {"type": "play", "turn": (turn + "      ")[:20] if len(turn) < 6 else turn[:20]}
            case 1:
                return {"type": "pick", "side": 1}
            case 2:
                return {"type": "vote", "chair": rng.below(4)}
            case 3:
                return {
                    "type": "play",
                    "turn": f"{rng.below(70)}@{rng.below(10)}-{rng.choice('abcdefghi')}{rng.below(9)}",
                }
            case _:
                return {
                    "type": "appoint",
                    "chair": rng.below(4),
                    "player": rng.choice(("cmd:true", "greedy", "x")),
                }

    def _message(self, command: Json) -> Json:
        self._ids += 1
        return {
            "type": "command",
            "command_id": f"h{self._ids}" if self._rng.chance(80) else "same",
            "expected_seq": self._target.seq
            if self._rng.chance(85)
            else self._rng.choice((-1, 0, 1_000_000)),
            "command": command,
        }
