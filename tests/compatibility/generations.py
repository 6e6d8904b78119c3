"""The generations of fixtures, and copies of their files for tests."""

import json
import lzma
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner, Result

from sanssouci.cli.app import app

from ..harness.server import InProcessServer
from .server_data import PLAYERS

FILES = Path(__file__).parent / "files"
GENERATIONS = sorted(path for path in FILES.iterdir() if path.is_dir())
LATEST = GENERATIONS[-1]


@dataclass(frozen=True)
class Generation:
    """The files of one month, and a folder for modified copies."""

    folder: Path
    scratch: Path

    @property
    def state(self) -> Path:
        """The user's state folder, if XDG_STATE_HOME is ``scratch``."""
        folder = self.scratch / "sanssouci"
        folder.mkdir(exist_ok=True)
        return folder

    def json(self, name: str) -> Any:
        return json.loads((self.folder / name).read_bytes())

    def copy(self, name: str, target: Path) -> Path:
        """Copy a file, decompressed."""
        target.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".xz"):
            target.write_bytes(lzma.decompress((self.folder / name).read_bytes()))
        else:
            shutil.copyfile(self.folder / name, target)
        return target

    @asynccontextmanager
    async def server(self, imported: bool = False, **settings: Any) -> AsyncIterator[InProcessServer]:
        """A server on a copy of the data file, or on a file into which the export was imported."""
        server = InProcessServer(self.state, PLAYERS, name=f"after {self.folder.name}", **settings)
        if imported:
            done = run(
                "admin",
                "import",
                self.copy("games.jsonl.xz", self.scratch / "games.jsonl"),
                "--data",
                server.path,
            )
            assert done.exit_code == 0, done.output
        else:
            self.copy("tables.db.xz", server.path)
        server.clock.now = self.json("secrets.json")["now"]
        await server.open()
        try:
            yield server
        finally:
            await server.close()


def run(*arguments: object, **options: Any) -> Result:
    """Run the command line in this process."""
    return CliRunner().invoke(app, [*map(str, arguments)], **options)
