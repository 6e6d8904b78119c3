"""Runs programs under the recorder: a small C library that journals all changes to one folder."""

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

SOURCE = Path(__file__).with_name("recorder.c")
READ_ONLY = Path(__file__).with_name("read_only.c")
ROOT = Path(__file__).parents[3]


def compiler() -> str | None:
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")


@cache
def missing() -> str | None:
    """Why nothing can be recorded on this machine, or None."""
    if sys.platform != "linux":
        return f"LD_PRELOAD and /proc need Linux, this is {sys.platform}"
    return None if compiler() else "there is no C compiler here"


def build(folder: Path, source: Path = SOURCE) -> Path:
    """Compile the recorder, or another library, into a folder."""
    library = folder / f"{source.stem}.so"
    library.write_bytes(_compiled(source))
    return library


@cache
def _compiled(source: Path) -> bytes:
    command = compiler()
    assert command is not None, missing()
    flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-pthread"]
    with TemporaryDirectory() as folder:
        library = Path(folder, "library.so")
        subprocess.run([command, *flags, "-o", str(library), str(source)], check=True)
        return library.read_bytes()


def record(library: Path, folder: Path, journal: Path, command: list[str]) -> None:
    """Run a command at the root of the project, and append its changes to the folder to the journal."""
    settings = {
        "LD_PRELOAD": str(library),
        "POWER_FOLDER": str(folder.resolve()),
        "POWER_JOURNAL": str(journal),
    }
    done = subprocess.run(
        command, env=os.environ | settings, cwd=ROOT, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(f"the recorded program exited with {done.returncode}:\n{done.stdout}{done.stderr}")
