"""How much a browser has to fetch: every built file, packed as it is sent.

The game is all that leads to a table and is seen there, in four languages. What stands beside it is fetched
when somebody goes there, and counted apart.
"""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sanssouci.server.ops.static_files import StaticFile

STATIC = Path(str(files("sanssouci") / "static"))
_STAMP = ".sha256"
_BESIDE = (
    *("Daily", "Lesson", "QrCode", "Replay", "Review", "ScoreSheet", "Statistics", "Tutorial"),
    *("features-", "icon"),
)
"""How the files of other places begin, and of what is seen by telephones and desktops only."""


@dataclass(frozen=True)
class Size:
    """The files of the game together."""

    files: int
    plain: int
    packed: int
    """Bytes by gzip; a file that does not get smaller is sent as it is."""
    beside: int
    """Bytes of what stands beside it."""


def measure_size(folder: Path = STATIC) -> Size:
    """What lies in a folder; the stamp of the build is not served."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != _STAMP]
    if not found:
        raise SystemExit("the pages are not built: python hatch_build.py")
    game = [path for path in found if not path.name.startswith(_BESIDE)]
    plain = sum(path.stat().st_size for path in game)
    return Size(len(game), plain, sum(map(_packed, game)), sum(map(_packed, set(found) - set(game))))


def _packed(path: Path) -> int:
    file = StaticFile.of(path.name, path.read_bytes())
    return len(file.body if file.gzipped is None else file.gzipped)
