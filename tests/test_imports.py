"""What is light stays light: no compiler and no arrays before someone asks for many games."""

import subprocess
import sys
from pathlib import Path

import pytest

HEAVY = ("numba", "llvmlite", "numpy", "pyarrow", "sanssouci.kernel")


def loaded_after(statement: str, heavy: tuple[str, ...] = HEAVY) -> set[str]:
    """Which heavy modules a fresh Python has loaded after a statement."""
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
def test_a_light_room_loads_nothing_heavy(module: str) -> None:
    """Importing a room of a single game loads neither Numba nor NumPy."""
    assert loaded_after(f"import {module}") == set()


def test_help_does_not_wait_for_the_server() -> None:
    """What is said of its settings is known without it."""
    assert loaded_after("import sanssouci.cli.app", ("fastapi", "sanssouci.server", "sqlalchemy")) == set()


def test_a_random_player_loads_nothing_heavy() -> None:
    """Nor does listing the players or making a random one; only the greedy one needs the kernel."""
    asked = (
        "from sanssouci.dealer import BulkStream\nfrom sanssouci.players import make_player, player_names\n"
    )
    assert loaded_after(f"{asked}player_names()\nmake_player('random', BulkStream(1))") == set()
    assert "sanssouci.kernel" in loaded_after(f"{asked}make_player('greedy', BulkStream(1))")


def test_a_server_starts_without_what_migrates(tmp_path: Path) -> None:
    """After a crash people wait: Alembic is loaded only where a data file is older than the program."""
    imports = "import pathlib, sanssouci.server\nfrom sanssouci.store import Store"
    opening = f"{imports}\nStore.open(pathlib.Path({str(tmp_path / 'tables.db')!r})).close()"
    assert loaded_after(opening, ("alembic",)) == {"alembic"}, "a new file is made by it"
    assert loaded_after(opening, ("alembic",)) == set()
