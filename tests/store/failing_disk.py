"""A store on a disk that fails and recovers, in a separate process.

Run as ``python -m … HOW FOLDER``. It prints its observations as JSON, which ``test_disk.py`` checks.
"""

import json
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, TypeAlias

from sanssouci.locale import UserError
from sanssouci.store import Store, Unavailable, check_chain

from .builders import add_games, an_event

Failure: TypeAlias = Callable[[Path], AbstractContextManager[None]]
LARGE = "x" * 20_000


@contextmanager
def filled_disk(folder: Path) -> Iterator[None]:
    """Fill the disk to the last byte, then free the space again."""
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
def _size_limit(folder: Path) -> Any:
    """Forbid files to grow, then allow it again."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = (folder / "games.db-wal").stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, before)


@contextmanager
def _immutable_files(folder: Path) -> Any:
    """Make the open files immutable, as after a disk error, then writable again.

    SQLite's shared memory stays writable: writing to a mapped file that cannot be saved kills the process.
    """
    files = [str(folder / name) for name in ("games.db", "games.db-wal")]
    subprocess.run(["chattr", "+i", *files], check=True)
    try:
        yield
    finally:
        subprocess.run(["chattr", "-i", *files], check=True)


def _try_write(store: Store, seq: int) -> str:
    error = store.write(an_event(seq, body=LARGE)).exception(60)
    return "written" if error is None else type(error).__name__


def _try_probe(store: Store) -> str:
    error = store.probe().exception(60)
    return "ok" if error is None else type(error).__name__


def observe(folder: Path, failure: Failure) -> dict[str, Any]:
    """Observe a store before, while and after its disk fails."""
    store = Store.open(folder / "games.db")
    add_games(store, "g", events=1)
    observed: dict[str, Any] = {"before": [_try_write(store, seq) for seq in range(1, 4)]}
    with failure(folder):
        tries = [_try_write(store, 4)]
        while tries[-1] == "written":
            tries.append(_try_write(store, 4 + len(tries)))
        written = 3 + tries.count("written")
        observed["while"] = [tries[-1], *(_try_write(store, written + 1) for _ in range(3))]
        observed["probe"] = [store.failing, _try_probe(store), store.failing]
        observed["read"] = len(store.events("g")) - written
        observed["sentence"] = str(store.write(an_event(written + 1, body=LARGE)).exception(60))
    observed["probe"] += [store.failing, _try_probe(store), store.failing]
    observed["after"] = [_try_write(store, written + number) for number in (1, 2, 3)]
    store.close()
    with Store.open(folder / "games.db") as again:
        observed["broken"] = check_chain(again.events("g"), last=written + 3)
    return observed


def full_tmpfs(folder: Path) -> dict[str, Any]:
    """Observe a disk of two megabytes, then try to open a new file while it is full."""
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)], check=True)
    observed = observe(folder, filled_disk)
    with filled_disk(folder):
        observed["open"] = _try_open(folder / "new.db")
    return observed


def read_only_mount(folder: Path) -> dict[str, Any]:
    """Try to open an existing and a new file on a read-only disk."""
    with Store.open(folder / "games.db") as store:
        add_games(store, "g", events=1)
    subprocess.run(["mount", "--bind", str(folder), str(folder)], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", str(folder)], check=True)
    return {"old": _try_open(folder / "games.db"), "new": _try_open(folder / "new.db")}


def _try_open(path: Path) -> str:
    try:
        Store.open(path).close()
    except Unavailable as error:
        return f"unavailable: {error}"
    except UserError as error:
        return f"{error.key}: {error}"
    return "opened"


FAILURES: dict[str, Callable[[Path], dict[str, Any]]] = {
    "full": full_tmpfs,
    "limited": lambda folder: observe(folder, _size_limit),
    "immutable": lambda folder: observe(folder, _immutable_files),
    "read-only": read_only_mount,
}

if __name__ == "__main__":
    print(json.dumps(FAILURES[sys.argv[1]](Path(sys.argv[2]))))
