"""Writes the OpenAPI document to a file, without starting a server.

``python -m sanssouci.server.wire.openapi_file build/openapi.json`` writes the same document as
``GET /api/openapi.json``; ``-`` is standard output. ``make types`` generates ``web/src/net/schema.d.ts`` from
it.
"""

import sys
from pathlib import Path

import orjson

from ..app import bare_app

if __name__ == "__main__":
    document = orjson.dumps(bare_app().openapi(), option=orjson.OPT_INDENT_2)
    if sys.argv[1] == "-":
        sys.stdout.buffer.write(document)
    else:
        path = Path(sys.argv[1])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(document)
