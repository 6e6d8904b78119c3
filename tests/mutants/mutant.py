"""A mutant: a patch with one fault, and the tests that catch it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
_HEADER = re.compile(r"^(?P<header>.*?)^--- ", re.DOTALL | re.MULTILINE)
_TESTS = re.compile(r"^Tests: (.+)$", re.MULTILINE)
_TOUCHED = re.compile(r"^\+\+\+ b/(\S+)", re.MULTILINE)


class Kind(Enum):
    """The program that runs a target."""

    PYTEST = "pytest"
    VITEST = "vitest"
    LINT = "lint"


@dataclass(frozen=True, slots=True)
class Target:
    """One ``Tests:`` line: a pytest file or function, a vitest file, or a lint command."""

    kind: Kind
    name: str
    keyword: str = ""
    """pytest's ``-k``, to select some cases of a large test."""

    @classmethod
    def parse(cls, text: str) -> "Target":
        """``tests/x.py::test_y [-k words]``, ``vitest: web/src/x.test.ts`` or ``lint: command``."""
        for kind in (Kind.VITEST, Kind.LINT):
            prefix = f"{kind.value}: "
            if text.startswith(prefix):
                return cls(kind, text.removeprefix(prefix))
        name, _, keyword = text.partition(" -k ")
        return cls(Kind.PYTEST, name, keyword)

    def __str__(self) -> str:
        if self.kind is not Kind.PYTEST:
            return f"{self.kind.value}: {self.name}"
        return f"{self.name} -k {self.keyword}" if self.keyword else self.name

    def exists(self, root: Path = ROOT) -> bool:
        """Whether the named file, and the named function in it, exist."""
        if self.kind is Kind.LINT:
            return True
        file, *names = self.name.split("::")
        path = root / file
        if not names or not path.exists():
            return path.exists()
        return re.search(rf"\bdef {re.escape(names[-1])}\(", path.read_text(encoding="utf-8")) is not None


@dataclass(frozen=True, slots=True)
class Mutant:
    """A patch with its header."""

    path: Path
    description: str
    targets: tuple[Target, ...]
    touched: tuple[str, ...]
    """The files that it changes, relative to the root."""

    @classmethod
    def read(cls, path: Path) -> "Mutant":
        """Parse a patch; ``ValueError`` if the header is incomplete."""
        text = path.read_text(encoding="utf-8")
        found = _HEADER.match(text)
        header = found["header"] if found else ""
        targets = tuple(Target.parse(line.strip()) for line in _TESTS.findall(header))
        description = header.partition("\n")[0].strip()
        if not description or description.startswith("Tests:") or not targets:
            raise ValueError(f"{path.name}: a header has a description and a Tests: line")
        return cls(path, description, targets, tuple(_TOUCHED.findall(text)))

    @property
    def area(self) -> str:
        """The part of the project with the fault: the name of the folder."""
        return self.path.parent.name

    @property
    def name(self) -> str:
        """``area/name``."""
        return f"{self.area}/{self.path.stem}"

    @property
    def is_compiled(self) -> bool:
        """Whether the patch changes code that Numba compiles."""
        folders = ("src/sanssouci/rules/", "src/sanssouci/kernel/", "src/sanssouci/network/")
        return any(path.startswith((*folders, "src/sanssouci/dealer/bulk.py")) for path in self.touched)

    @property
    def is_web(self) -> bool:
        """Whether the patch changes the source of the web pages."""
        return any(path.startswith("web/") for path in self.touched)


def all_mutants() -> list[Mutant]:
    """Every mutant; those that change the pages come last, so that pages are rarely rebuilt."""
    mutants = map(Mutant.read, FOLDER.glob("*/*.patch"))
    return sorted(mutants, key=lambda mutant: (mutant.is_web, mutant.name))


def select(mutants: Iterable[Mutant], names: Iterable[str], areas: Iterable[str]) -> list[Mutant]:
    """The mutants with these names or areas, or all; ``ValueError`` for an unknown name."""
    mutants, names, areas = list(mutants), set(names), set(areas)
    unknown = names - {mutant.name for mutant in mutants} - {mutant.path.stem for mutant in mutants}
    unknown |= areas - {mutant.area for mutant in mutants}
    if unknown:
        raise ValueError(f"no such mutant or area: {', '.join(sorted(unknown))}")
    if not names and not areas:
        return mutants
    return [
        mutant
        for mutant in mutants
        if mutant.area in areas or mutant.name in names or mutant.path.stem in names
    ]
