"""The download size: every built file, compressed as it is served.

The game is everything needed to play at a table, in four languages: the page, the table, the result and the
translations, each with everything that it imports statically, by Vite's manifest. Typefaces, and everything
else, which is loaded on demand, are counted separately.
"""

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from sanssouci.server.ops.static_files import StaticFile

STATIC = Path(str(files("sanssouci") / "static"))
MANIFEST = Path(".vite", "manifest.json")
_NOT_LOADED = ("made-from.sha256", "licences.json", MANIFEST.name)
"""Files that no page loads: the build stamp, which is not served, the licences and the manifest."""
_TYPEFACE = ".woff2"
_GAME = ("index", "GameScreen", "GameOver", "de", "es", "fr")
"""The names of the page, the table, the result and the translations."""
_PAGE = ("index.html", "favicon.svg", "manifest.webmanifest")
"""Files of the page that are not in the manifest."""


@dataclass(frozen=True)
class Size:
    """The total size of the game's files."""

    files: int
    plain: int
    packed: int
    """Bytes as served: gzipped, unless that is larger."""
    other: int
    """Bytes of everything that is loaded later, as served."""
    typefaces: int


def measure_size(folder: Path = STATIC) -> Size:
    """Measure a folder, except for files that no page loads."""
    found = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.name not in _NOT_LOADED]
    if not found:
        raise SystemExit("the pages are not built: python hatch_build.py")
    loaded = _loaded_with_the_game(json.loads((folder / MANIFEST).read_text(encoding="utf-8")))
    typefaces = [path for path in found if path.suffix == _TYPEFACE]
    game = [path for path in found if path.relative_to(folder).as_posix() in loaded]
    other = set(found) - set(typefaces) - set(game)
    return Size(
        files=len(game),
        plain=sum(path.stat().st_size for path in game),
        packed=sum(map(_packed, game)),
        other=sum(map(_packed, other)),
        typefaces=sum(map(_packed, typefaces)),
    )


def _loaded_with_the_game(manifest: dict[str, Any]) -> set[str]:
    """The files of the game's parts, and of everything that these import statically."""
    open_keys = [key for key, chunk in manifest.items() if chunk.get("name") in _GAME]
    reached: set[str] = set()
    while open_keys:
        key = open_keys.pop()
        if key not in reached:
            reached.add(key)
            open_keys += manifest[key].get("imports", [])
    chunks = [manifest[key] for key in reached]
    return {*_PAGE, *(name for chunk in chunks for name in (chunk["file"], *chunk.get("css", [])))}


def _packed(path: Path) -> int:
    file = StaticFile.of(path.name, path.read_bytes())
    return len(file.body if file.gzipped is None else file.gzipped)
