"""The generator only adds generations."""

import hashlib
from pathlib import Path

import pytest

from .generate import main
from .generations import GENERATIONS


def test_an_existing_generation_is_never_overwritten() -> None:
    """The generator refuses to overwrite a generation before it writes anything."""
    with pytest.raises(SystemExit, match="never written again"):
        main(GENERATIONS[0].name)


@pytest.mark.parametrize("folder", GENERATIONS, ids=lambda folder: folder.name)
def test_a_generation_never_changes(folder: Path) -> None:
    """No file of a generation is missing, new or different."""
    lines = (folder / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    wanted = {name: digest for digest, name in (line.split("  ") for line in lines)}
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "SHA256SUMS"]
    assert {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files
    } == wanted
