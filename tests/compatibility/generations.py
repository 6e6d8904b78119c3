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

from ..server.house import House
from .server_data import PLAYERS

FILES = Path(__file__).parent / "files"
GENERATIONS = sorted(path for path in FILES.iterdir() if path.is_dir())
LATEST = GENERATIONS[-1]


@dataclass(frozen=True)
class Generation:
    """The files of one month, and where copies of them may be changed."""

    folder: Path
    scratch: Path

    @property
    def state(self) -> Path:
        """The folder in which the program looks for a user's files, if XDG_STATE_HOME is ``scratch``."""
        folder = self.scratch / "sanssouci"
        folder.mkdir(exist_ok=True)
        return folder

    def json(self, name: str) -> Any:
        """A JSON file."""
        return json.loads((self.folder / name).read_bytes())

    def copy(self, name: str, target: Path) -> Path:
        """A copy of a file, unpacked."""
        target.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".xz"):
            target.write_bytes(lzma.decompress((self.folder / name).read_bytes()))
        else:
            shutil.copyfile(self.folder / name, target)
        return target

    @asynccontextmanager
    async def server(self, imported: bool = False, **settings: Any) -> AsyncIterator[House]:
        """A server on a copy of the data file, or on one into which the export was imported."""
        house = House(self.state, PLAYERS, world=f"after {self.folder.name}", **settings)
        if imported:
            done = run(
                "admin",
                "import",
                self.copy("games.jsonl.xz", self.scratch / "games.jsonl"),
                "--data",
                house.path,
            )
            assert done.exit_code == 0, done.output
        else:
            self.copy("tables.db.xz", house.path)
        house.world.now = self.json("secrets.json")["now"]
        await house.open()
        try:
            yield house
        finally:
            await house.close()


def run(*arguments: object, **options: Any) -> Result:
    """Run the command line in this process."""
    return CliRunner().invoke(app, [*map(str, arguments)], **options)
