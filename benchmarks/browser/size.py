"""How much a browser has to fetch for the whole game: every built file, packed as it is sent."""

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from sanssouci.server.pages import File

STATIC = Path(str(files("sanssouci") / "static"))
_STAMP = ".sha256"


@dataclass(frozen=True)
class Size:
    """All files together."""

    files: int
    plain: int
    packed: int
    """Bytes by gzip; a file that does not get smaller is sent as it is."""


def measure_size(folder: Path = STATIC) -> Size:
    """What lies in a folder; the stamp of the build is not served."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix != _STAMP]
    if not found:
        raise SystemExit("the pages are not built: python hatch_build.py")
    sent = [File.of(path.relative_to(folder).as_posix(), path.read_bytes()) for path in found]
    return Size(
        len(sent),
        sum(len(file.body) for file in sent),
        sum(len(file.packed if file.packed is not None else file.body) for file in sent),
    )
