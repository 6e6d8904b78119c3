"""Static files of the browser game, built from ``web/`` and held in memory.

Requests only ever name a file of this list; no request path is looked up on disk. Files in ``assets/`` have a
content hash in their name and are cached forever; others are revalidated by ETag. Files are compressed once,
at start, which Starlette's ``StaticFiles`` cannot do.
"""

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

from sanssouci.locale import UserError

INDEX = "index.html"
ASSETS = "assets"
_MEDIA_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
    "webmanifest": "application/manifest+json",
    "woff2": "font/woff2",
}
"""By file extension; other files are not served."""
_COMPRESSED = ("css", "html", "js", "json", "svg", "txt", "webmanifest")
_IMMUTABLE = "public, max-age=31536000, immutable"
_REVALIDATE = "no-cache"


@dataclass(frozen=True, slots=True)
class StaticFile:
    body: bytes
    gzipped: bytes | None
    """The compressed body, if it is smaller."""
    media_type: str
    etag: str
    cache_control: str

    @classmethod
    def of(cls, name: str, body: bytes) -> "StaticFile":
        ending = name.rpartition(".")[2]
        gzipped = gzip.compress(body, mtime=0) if ending in _COMPRESSED else body
        return cls(
            body,
            gzipped if len(gzipped) < len(body) else None,
            _MEDIA_TYPES[ending],
            hashlib.sha256(body).hexdigest()[:32],
            _IMMUTABLE if name.startswith(f"{ASSETS}/") else _REVALIDATE,
        )

    def response(self, request: Request) -> Response:
        """The response to a request; 304 if the browser has this version."""
        accepted = ",".join(request.headers.getlist("accept-encoding"))
        gzipped = self.gzipped if _accepts_gzip(accepted) else None
        etag = f'"{self.etag}-gzip"' if gzipped is not None else f'"{self.etag}"'
        headers = {"etag": etag, "cache-control": self.cache_control, "vary": "accept-encoding"}
        if _etag_matches(request.headers.getlist("if-none-match"), self.etag):
            return Response(status_code=304, headers=headers)
        if gzipped is not None:
            headers["content-encoding"] = "gzip"
        return Response(
            self.body if gzipped is None else gzipped, headers=headers, media_type=self.media_type
        )


def _accepts_gzip(accepted: str) -> bool:
    """Whether ``Accept-Encoding`` allows gzip; a weight of 0 forbids it."""
    for part in accepted.lower().split(","):
        coding, _, weight = part.partition(";")
        if coding.strip() in ("gzip", "*"):
            return weight.strip().removeprefix("q=").rstrip("0.") != "" or not weight
    return False


def _etag_matches(lines: list[str], etag: str) -> bool:
    """Whether ``If-None-Match`` names this version, compressed or not."""
    named = (part.strip().removeprefix("W/") for line in lines for part in line.split(","))
    return any(name in ("*", f'"{etag}"', f'"{etag}-gzip"') for name in named)


class StaticFiles:
    """All files by name; empty if the package was built without them."""

    def __init__(self, found: Mapping[str, StaticFile]) -> None:
        self._files = dict(found)

    @classmethod
    def read(cls, folder: Traversable) -> "StaticFiles":
        return cls({name: StaticFile.of(name, file.read_bytes()) for name, file in _below(folder)})

    def index(self) -> StaticFile:
        """The page for every route of the browser game; ``UserError`` if it was not built."""
        found = self._files.get(INDEX)
        if found is None:
            raise UserError("server.no_pages")
        return found

    def file(self, name: str) -> StaticFile | None:
        return self._files.get(name)


def _below(folder: Traversable, before: str = "") -> list[tuple[str, Traversable]]:
    found: list[tuple[str, Traversable]] = []
    for entry in folder.iterdir() if folder.is_dir() else ():
        if entry.is_dir():
            found += _below(entry, f"{before}{entry.name}/")
        elif entry.name.rpartition(".")[2] in _MEDIA_TYPES:
            found.append((before + entry.name, entry))
    return found


@cache
def built_files() -> StaticFiles:
    return StaticFiles.read(files("sanssouci") / "static")
