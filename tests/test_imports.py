"""Imports stay light: Numba and NumPy are loaded only when many games are played."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numba", "llvmlite", "numpy", "pyarrow", "sanssouci.kernel")


def loaded_after(statement: str, heavy: tuple[str, ...] = HEAVY) -> set[str]:
    """The heavy modules that a new Python process has loaded after a statement."""
    script = f"{statement}\nimport sys\nprint(*(name for name in {heavy!r} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, encoding="utf-8", check=True)
    return set(done.stdout.split())


@pytest.mark.parametrize(
    "module",
    [
        "sanssouci",
        "sanssouci.rules",
        "sanssouci.locale",
        "sanssouci.notation",
        "sanssouci.editions",
        "sanssouci.dealer",
        "sanssouci.players",
        "sanssouci.review",
        "sanssouci.lessons",
        "sanssouci.store",
        "sanssouci.terminal",
        "sanssouci.workers",
        "sanssouci.cli.app",
    ],
)
def test_light_packages_load_nothing_heavy(module: str) -> None:
    """Importing a package for single games loads neither Numba nor NumPy."""
    assert loaded_after(f"import {module}") == set()


def test_help_does_not_load_the_server() -> None:
    """The command line is imported without the server and its dependencies."""
    assert loaded_after("import sanssouci.cli.app", ("fastapi", "sanssouci.server", "sqlalchemy")) == set()


def test_a_random_player_loads_nothing_heavy() -> None:
    """Listing players and making a random player load nothing heavy; the greedy player needs the kernel."""
    imports = (
        "from sanssouci.dealer import BulkStream\nfrom sanssouci.players import make_player, player_names\n"
    )
    assert loaded_after(f"{imports}player_names()\nmake_player('random', BulkStream(1))") == set()
    assert "sanssouci.kernel" in loaded_after(f"{imports}make_player('greedy', BulkStream(1))")


def test_alembic_is_loaded_only_for_migrations(tmp_path: Path) -> None:
    """Alembic is loaded only to create or migrate a data file, so that a restart is fast."""
    imports = "import pathlib, sanssouci.server\nfrom sanssouci.store import Store"
    opening = f"{imports}\nStore.open(pathlib.Path({str(tmp_path / 'tables.db')!r})).close()"
    assert loaded_after(opening, ("alembic",)) == {"alembic"}, "Alembic creates a new file"
    assert loaded_after(opening, ("alembic",)) == set()
