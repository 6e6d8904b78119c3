"""A hand-written playout in C, compiled on the spot, as a baseline.

``benchmarks/ceiling.c`` is straightforward C. ``benchmarks/tuned.c`` is optimised for this one figure, with
two seats and the base game only. Both play the same games as the kernel: their checksums must agree.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

from sanssouci.editions import BoardSet
from sanssouci.kernel import GARDENER_FIELD, PART_FIELDS, WINNERS_FIELD, Ints
from sanssouci.rules import members

SOURCES = Path(__file__).parents[3] / "benchmarks"
OPTIONS = ("-O3", "-march=native")
_FNV_START, _FNV_FACTOR = 0xCBF29CE484222325, 0x100000001B3


class CBaseline:
    """A compiled C program."""

    def __init__(self, program: Path, boards: BoardSet, digests: bytes) -> None:
        self._program = program
        lines = [" ".join(map(str, (len(board.sides), *board.sides))) for board in boards.gardens]
        lines += [" ".join(map(str, members(boards.deck))), str(len(digests) // 16)]
        self._input = ("\n".join(lines) + "\n").encode() + digests
        self.checksum = ""

    def seconds(self) -> float:
        """Play all games and return the seconds it took."""
        done = subprocess.run([self._program], input=self._input, capture_output=True, check=True)
        figures = json.loads(done.stdout)
        self.checksum = figures["checksum"]
        return float(figures["seconds"])


def compile_baseline(name: str, folder: str) -> Path | None:
    """Compile ``benchmarks/NAME.c``; None where there is no source (an installed wheel) or no compiler."""
    source, program = SOURCES / f"{name}.c", Path(folder) / name
    compiler = os.environ.get("CC") or next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
    if compiler is None or not source.exists():
        return None
    command = [*compiler.split(), *OPTIONS, "-o", str(program), str(source)]
    try:
        done = subprocess.run(command, capture_output=True, check=False)
    except OSError:
        return None
    return program if done.returncode == 0 else None


def checksum(results: Ints) -> str:
    """FNV-1a over the results of games with two seats, as the C programs compute it."""
    found = _FNV_START
    for game in results[:, :2].tolist():
        for seat in game:
            parts, won = seat[:PART_FIELDS], int(seat[WINNERS_FIELD] > 0)
            for value in (sum(parts), *parts, seat[GARDENER_FIELD], won):
                found = (found ^ value & 255) * _FNV_FACTOR & (1 << 64) - 1
    return f"{found:016x}"
