"""Invalid paths: one sentence with the path and the reason, in the chosen language."""

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
from .command import COMMAND, run, usage_error
from .data_files import data_file

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
    """Run a command with a path, and return its user error; standard output must be empty."""
    done = CliRunner().invoke(app, [word.format(path) for word in command.split()])
    assert isinstance(done.exception, UserError) and done.stdout == "", done.exception
    assert all(done.exception.translate(language) for language in LANGUAGES)
    return done.exception


@contextmanager
def without_rights(folder: Path) -> Iterator[None]:
    """Remove all permissions of a folder; root becomes an unprivileged user."""
    folder.chmod(0)
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)
        folder.chmod(0o700)


@pytest.mark.parametrize("command", [*DATA, *READS, *WRITES])
def test_a_folder_without_rights(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without permissions is reported with its path, whatever the command does there."""
    monkeypatch.chdir(tmp_path)
    locked = tmp_path / "locked"
    locked.mkdir()
    CliRunner().invoke(app, [word.format("none/x") for word in command.split()])  # import everything first
    with without_rights(locked):
        found = user_error(command, str(locked / "x"))
    assert str(locked) in str(found) and translate("os_error.no_rights") in str(found)


@pytest.mark.parametrize("command", [*DATA, *READS, *WRITES, *COPIES])
@pytest.mark.parametrize("path", ["loop/x", "file/x", "x" * 300, "missing/x", "folder"])
def test_invalid_paths_are_reported(
    command: str, path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Circular links, files as folders, long names and missing folders give a user error."""
    if path == "missing/x" and command in (*DATA, "simulate --games 1 --records {} --force", COPIES[2]):
        pytest.skip("the folder is made")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
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
def test_a_link_to_itself_is_reported(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A link to itself is reported and kept."""
    monkeypatch.chdir(tmp_path)
    data_file(tmp_path)
    (tmp_path / "loop").symlink_to("loop")
    assert "loop" in str(user_error(command, "loop"))
    assert (tmp_path / "loop").is_symlink()


def test_path_errors_in_a_real_process(tmp_path: Path) -> None:
    """A path error gives exit status 2 and one sentence in the chosen language."""
    (tmp_path / "loop").symlink_to("loop")
    assert translate("os_error.loop") in usage_error("admin", "check", "--data", tmp_path / "loop")
    done = run("admin", "check", "--data", "loop", "--lang", "de", cwd=tmp_path)
    assert done.returncode == 2 and translate("os_error.loop", "de") in done.stderr


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (
            PermissionError(13, "Permission denied", "/srv/x"),
            f"/srv/x: {translate('os_error.no_rights', 'de')}",
        ),
        (OSError(28, "No space left on device"), translate("os_error.no_space", "de")),
        (OSError(71, "Protocol error"), "Protocol error"),
    ],
)
def test_unexpected_os_errors_are_reported(
    error: OSError, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An unexpected OSError is reported with its path and reason."""

    def fail(**_: object) -> None:
        raise error

    monkeypatch.setattr(command_line, "app", fail)
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    with pytest.raises(SystemExit) as ended:
        command_line.main()
    assert ended.value.code == 2 and capsys.readouterr().err == f"sanssouci: {message}\n"


@LINUX_ONLY
@pytest.mark.parametrize("words", ["boards list", "boards show --json"])
def test_a_full_disk_for_standard_output(words: str) -> None:
    """A failure to write standard output is reported as such, for short and long output."""
    with Path("/dev/full").open("w") as full:
        shown = subprocess.run(
            [*COMMAND, *words.split(), "--lang", "fr"],
            stdout=full,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            check=False,
        )
    message = translate("cli.no_output", "fr", reason=translate("os_error.no_space", "fr"))
    assert shown.returncode == 1 and message in shown.stderr and "Traceback" not in shown.stderr
