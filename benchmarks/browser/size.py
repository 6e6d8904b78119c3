"""The download size: every built file, compressed as it is served.

The game is everything needed to play at a table, in four languages. Typefaces, and other pages, which are
loaded on demand, are counted separately.
"""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sanssouci.server.ops.static_files import StaticFile

STATIC = Path(str(files("sanssouci") / "static"))
_NOT_LOADED = ("made-from.sha256", "licences.json")
"""Files that no page loads: the build stamp, which is not served, and the licences."""
_TYPEFACE = ".woff2"
_OTHER = (
    *("BoardEditor", "Daily", "Lesson", "NewGame", "PageHeader", "Portraits", "QrCode", "Replay", "Review"),
    *("ScoreSheet", "Statistics", "Tutorial", "scoreSheet", "features-", "icon", "sw.js"),
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
    typefaces: int


def measure_size(folder: Path = STATIC) -> Size:
    """Measure a folder, except for files that no page loads."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in _NOT_LOADED]
    if not found:
        raise SystemExit("the pages are not built: python hatch_build.py")
    typefaces = [path for path in found if path.suffix == _TYPEFACE]
    other = [path for path in found if path.name.startswith(_OTHER)]
    game = sorted(set(found) - set(typefaces) - set(other))
    return Size(
        files=len(game),
        plain=sum(path.stat().st_size for path in game),
        packed=sum(map(_packed, game)),
        other=sum(map(_packed, other)),
        typefaces=sum(map(_packed, typefaces)),
    )


def _packed(path: Path) -> int:
    file = StaticFile.of(path.name, path.read_bytes())
    return len(file.body if file.gzipped is None else file.gzipped)
