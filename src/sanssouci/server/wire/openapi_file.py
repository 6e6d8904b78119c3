"""The description as a file, for programs that are built from it: no server needs to run.

``python -m sanssouci.server.wire.openapi_file build/openapi.json`` writes what a server answers to
``GET /api/openapi.json``. The types of ``web/src/net/schema.d.ts`` are made from it: ``make types``.
"""

import sys
from pathlib import Path

import orjson

from ..app import bare_app


def write_document(path: Path) -> None:
    """Write the description, in the same order on every machine."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(orjson.dumps(bare_app().openapi(), option=orjson.OPT_INDENT_2))


if __name__ == "__main__":
    write_document(Path(sys.argv[1]))
