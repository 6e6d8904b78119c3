"""A store on a disk that fails and recovers, in a process of its own: ``python -m … HOW FOLDER``.

It prints what it saw; ``test_disk.py`` says what that should be.
"""

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from sanssouci.locale import UserError
from sanssouci.store import Store, Unavailable, check_chain

from .builders import an_event, begin

Failing: TypeAlias = Callable[[Path], AbstractContextManager[None]]
LARGE = "x" * 20_000


@contextmanager
def _full(folder: Path) -> Any:
    """Fill the disk to the last byte, then make room."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for piece in (1 << 16, 1):
            try:
                while file.write(bytes(piece)):
                    pass
            except OSError:
                continue
    yield
    ballast.unlink()


@contextmanager
def _limited(folder: Path) -> Any:
    """No file may grow, then they may again."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = (folder / "games.db-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def _read_only(folder: Path) -> Any:
    """The files are open and cannot be written to any more, as after a disk's error; then they can.

    SQLite's shared memory stays as it is: who writes to a mapped file that cannot be kept is killed.
    """
    files = [str(folder / name) for name in ("games.db", "games.db-wal")]
    subprocess.run(["chattr", "+i", *files], check=True)
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", *files], check=True)


def _try(store: Store, seq: int) -> str:
    error = store.write(an_event(seq, body=LARGE)).exception(60)
    return "written" if error is None else type(error).__name__


def _probed(store: Store) -> str:
    error = store.probe().exception(60)
    return "well" if error is None else type(error).__name__


def watch(folder: Path, failing: Failing) -> dict[str, Any]:
    """What a store says before, while and after its disk fails."""
    store = Store.open(folder / "games.db")
    begin(store, "g", events=1)
    seen: dict[str, Any] = {"before": [_try(store, seq) for seq in range(1, 4)]}
    with failing(folder):
        tries = [_try(store, 4)]
        while tries[-1] == "written":
            tries.append(_try(store, 4 + len(tries)))
        kept = 3 + tries.count("written")
        seen["while"] = [tries[-1], *(_try(store, kept + 1) for _ in range(3))]
        seen["probe"] = [store.failing, _probed(store), store.failing]
        seen["read"] = len(store.events("g")) - kept
        seen["sentence"] = str(store.write(an_event(kept + 1, body=LARGE)).exception(60))
    seen["probe"] += [store.failing, _probed(store), store.failing]
    seen["after"] = [_try(store, kept + number) for number in (1, 2, 3)]
    store.close()
    with Store.open(folder / "games.db") as again:
        seen["broken"] = check_chain(again.events("g"), last=kept + 3)
    return seen


def full_tmpfs(folder: Path) -> dict[str, Any]:
    """A disk of two megabytes; and what opening a new file says when it is full."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], check=True)
    seen = watch(folder, _full)
    with _full(folder):
        seen["open"] = _opening(folder / "new.db")
    return seen


def read_only_mount(folder: Path) -> dict[str, Any]:
    """What opening says, a file that is there and one that is not."""
    with Store.open(folder / "games.db") as store:
        begin(store, "g", events=1)
    subprocess.run(["mount", "--bind", str(folder), str(folder)], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
    return {"old": _opening(folder / "games.db"), "new": _opening(folder / "new.db")}


def _opening(path: Path) -> str:
    try:
        Store.open(path).close()
    except Unavailable as error:
        return f"unavailable: {error}"
    except UserError as error:
        return f"{error.key}: {error}"
    return "opened"


WAYS: dict[str, Callable[[Path], dict[str, Any]]] = {
    "full": full_tmpfs,
    "limited": lambda folder: watch(folder, _limited),
    "immutable": lambda folder: watch(folder, _read_only),
    "read-only": read_only_mount,
}

if __name__ == "__main__":
    print(json.dumps(WAYS[sys.argv[1]](Path(sys.argv[2]))))
