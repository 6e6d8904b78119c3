"""Paths that lead nowhere: each gets a sentence with the path and the reason, in the chosen language."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sanssouci.cli import app as command_line
from sanssouci.cli.app import app
from sanssouci.locale import LANGUAGES, UserError, translate

from ..processes import LINUX_ONLY
from .command import COMMAND, mistake, run
from .hosting import data_file

READS = ["boards show {}", "boards new x.toml --from {}", "play --plain --boards {}", "replay {}"]
WRITES = [
    "boards new {} --force",
    "simulate --games 1 --out {}.csv --force",
    "simulate --games 1 --records {} --force",
    "analyse record.json --html {} --force",
    "play --plain --save {} --force",
    "play --plain --game {} --force",
    "arena --games 2 --players greedy,random --resume {}",
    "arena --games 2 --players greedy,random --html {} --force",
]
DATA = [
    "admin check --data {}",
    "admin prune --data {}",
    "admin import x --data {}",
    "serve --host 192.0.2.1 --data {}",
]
DATA += ["admin export x --data {}", "admin backup x --data {}"]
COPIES = ["admin backup {} --data tables.db", "admin export {} --data tables.db"]
COPIES += ["admin export --records {} --data tables.db --force", "admin import {} --data tables.db"]
NOBODY = 65534


def user_error(command: str, path: str) -> UserError:
    """What a command says of a path; it ends with nothing worse, and on standard output there is nothing."""
    done = CliRunner().invoke(app, [word.format(path) for word in command.split()])
    assert isinstance(done.exception, UserError) and done.stdout == "", done.exception
    assert all(done.exception.translate(language) for language in LANGUAGES)
    return done.exception


@contextmanager
def without_rights(folder: Path) -> Iterator[None]:
    """Nobody may look into a folder; one who may do everything becomes somebody who may not."""
    folder.chmod(0)
    powerful = os.geteuid() == 0
    if powerful:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if powerful:
            os.seteuid(0)
        folder.chmod(0o700)


@pytest.mark.parametrize("command", [*DATA, *READS, *WRITES])
def test_a_folder_without_rights(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path and that rights are missing, whatever was to be done there."""
    monkeypatch.chdir(tmp_path)
    shut = tmp_path / "shut"
    shut.mkdir()
    CliRunner().invoke(app, [word.format("none/x") for word in command.split()])  # so that all is imported
    with without_rights(shut):
        found = user_error(command, str(shut / "x"))
    assert str(shut) in str(found) and translate("os_error.no_rights") in str(found)


@pytest.mark.parametrize("command", [*DATA, *READS, *WRITES, *COPIES])
@pytest.mark.parametrize("path", ["circle/x", "file/x", "x" * 300, "missing/x", "folder"])
def test_paths_that_lead_nowhere(
    command: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links in a circle, a file as a folder, a long name, no folder, a folder: none is a failure of ours."""
    if path == "missing/x" and command in (*DATA, "simulate --games 1 --records {} --force", COPIES[2]):
        pytest.skip("the folder is made")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "precious").write_text("")
    (tmp_path / "folder.csv").mkdir()
    before = sorted(tmp_path.rglob("*"))
    data_file(tmp_path)
    found = user_error(command, path)
    assert path[:60].removesuffix("/x") in str(found)
    assert [each for each in sorted(tmp_path.rglob("*")) if not each.name.startswith("tables.db")] == before


@pytest.mark.parametrize("command", [*DATA, *READS, *COPIES])
def test_a_link_that_leads_to_itself(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same at the end of a path; it is no free place either."""
    monkeypatch.chdir(tmp_path)
    data_file(tmp_path)
    (tmp_path / "circle").symlink_to("circle")
    assert "circle" in str(user_error(command, "circle"))
    assert (tmp_path / "circle").is_symlink()


def test_in_a_process_of_its_own(tmp_path: Path) -> None:
    """One sentence, exit status 2, in the language that was asked for."""
    (tmp_path / "circle").symlink_to("circle")
    assert translate("os_error.loop") in mistake("admin", "check", "--data", tmp_path / "circle")
    done = run("admin", "check", "--data", "circle", "--lang", "de", cwd=tmp_path)
    assert done.returncode == 2 and translate("os_error.loop", "de") in done.stderr


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            PermissionError(13, "Permission denied", "/srv/x"),
            f"/srv/x: {translate('os_error.no_rights', 'de')}",
        ),
        (OSError(28, "No space left on device"), translate("os_error.no_space", "de")),
        (OSError(71, "Protocol error"), "Protocol error"),
    ],
)
def test_what_nobody_has_foreseen(
    error: OSError, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The path, if there is one, and the reason; nothing of the output, which has not failed."""

    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(command_line, "app", fail)
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    assert ended.value.code == 2 and capsys.readouterr().err == f"sanssouci: {said}\n"


@LINUX_ONLY
@pytest.mark.parametrize("words", ["boards list", "boards show --json"])
def test_a_full_disk_under_the_output(words: str) -> None:
    """A little, and more than is collected before it is written: that is said to be the output."""
    with Path("/dev/full").open("w") as full:
        shown = subprocess.run(
            [*COMMAND, *words.split(), "--lang", "fr"],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    said = translate("cli.no_output", "fr", reason=translate("os_error.no_space", "fr"))
    assert shown.returncode == 1 and said in shown.stderr and "Traceback" not in shown.stderr
