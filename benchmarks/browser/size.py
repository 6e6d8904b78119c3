"""The download size: every built file, compressed as it is served.

The game is everything needed to play at a table, in four languages. Other pages are loaded on demand and
counted separately.
"""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sanssouci.server.ops.static_files import StaticFile

STATIC = Path(str(files("sanssouci") / "static"))
_BUILD_STAMP = ".sha256"
_OTHER = (
    *("BoardEditor", "Daily", "Lesson", "Portraits", "QrCode", "Replay", "Review", "ScoreSheet"),
    *("Statistics", "Tutorial", "scoreSheet", "features-", "icon", "sw.js"),
)
"""Prefixes of files for other pages, portraits, icons and the service worker."""


@dataclass(frozen=True)
class Size:
    """The total size of the game's files."""

    files: int
    plain: int
    packed: int
    """Bytes as served: gzipped, unless that is larger."""
    other: int
    """Bytes of other pages, as served."""


def measure_size(folder: Path = STATIC) -> Size:
    """Measure a folder, except for the stamp of the build, which is not served."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != _BUILD_STAMP]
    if not found:
        raise SystemExit("the pages are not built: python hatch_build.py")
    game = [path for path in found if not path.name.startswith(_OTHER)]
    plain = sum(path.stat().st_size for path in game)
    return Size(len(game), plain, sum(map(_packed, game)), sum(map(_packed, set(found) - set(game))))


def _packed(path: Path) -> int:
    file = StaticFile.of(path.name, path.read_bytes())
    return len(file.body if file.gzipped is None else file.gzipped)
