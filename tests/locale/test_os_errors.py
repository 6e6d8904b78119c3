"""Errors of the system, the database and parsers are translated."""

import errno
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from sanssouci.editions import BoardsError, parse_boards
from sanssouci.locale import LANGUAGES, UserError, os_error_reason
from sanssouci.notation import parse_json
from sanssouci.store import Store
from sanssouci.store.errors import database_error

COMMON: tuple[str, ...] = ("EACCES", "EADDRNOTAVAIL", "EISDIR", "ELOOP", "EMFILE", "ENAMETOOLONG")
COMMON += ("ENOENT", "ENOSPC", "ENOTDIR", "EPERM", "EROFS", "EIO")


@pytest.mark.parametrize("name", COMMON)
def test_common_os_errors_are_translated(name: str) -> None:
    """Common OS errors have a translation in all four languages, not the system's text."""
    code = getattr(errno, name)
    reason = os_error_reason(OSError(code, os.strerror(code)))
    assert isinstance(reason, UserError)
    texts = {reason.translate(language) for language in LANGUAGES}
    assert len(texts) == 4 and os.strerror(code) not in texts


def test_rare_os_errors_keep_the_system_text() -> None:
    """Rare errors keep the system's text; an invalid file name has a translated message."""
    assert os_error_reason(OSError(errno.EPROTO, "Protocol error")) == "Protocol error"
    assert os_error_reason(TimeoutError()) == "TimeoutError"
    with pytest.raises(ValueError) as caught:
        os.stat("a\0b")  # noqa: PTH116 - only a string can contain NUL
    assert str(os_error_reason(caught.value)) == "this is not a valid file name"


@pytest.mark.parametrize(
    "text", ["", "{", "{1:2}", '{"a" 1}', "[1 2]", '["a', '["a\nb"]', '["\\x"]', '["\\u12"]', "1 2", "[1,]"]
)
def test_json_errors_are_translated_with_position(text: str) -> None:
    """JSON errors have line, column and a translated reason."""
    with pytest.raises(UserError) as caught:
        parse_json(text.encode())
    assert caught.value.key == "json.bad" and isinstance(caught.value.details["reason"], UserError)
    assert len({caught.value.translate(language) for language in LANGUAGES}) == 4


@pytest.mark.parametrize(
    ("text", "details"),
    [
        ("[boards]\nname = ?\n", {"line": 2, "column": 8}),
        ("name = ?  # (at line 7, column 7)", {"line": 1, "column": 8}),
        ('[boards]\nname = "x', {"line": 2, "column": 10}),
        ("name = '''", {"line": 1, "column": 11}),
        ("[boards]\nname", {"line": 2, "column": 5}),
        ("size = " + "9" * 5000, {}),
        ("name = " + "[" * 20_000, {}),
    ],
)
def test_toml_errors_have_a_position_and_no_parser_text(text: str, details: dict[str, int]) -> None:
    """A TOML error has line and column in all four languages, and nothing of the parser's English text."""
    with pytest.raises(BoardsError) as caught:
        parse_boards(text.encode())
    assert caught.value.key == ("boards.not_toml_at" if details else "boards.not_toml")
    assert caught.value.details == details
    assert len({caught.value.translate(language) for language in LANGUAGES}) == 4


def test_database_errors_are_translated(tmp_path: Path) -> None:
    """Database errors are translated and never show the driver's text."""
    path = tmp_path / "diary.db"
    path.write_text("Dear diary, " * 100)
    with pytest.raises(UserError) as caught:
        Store.open(path)
    assert caught.value.translate("de") == f"{path} ist keine Datendatei"
    with pytest.raises(sqlite3.Error) as failed, closing(sqlite3.connect(tmp_path / "no" / "x")):
        pass
    assert isinstance(reason := database_error(failed.value), UserError)
    assert len({reason.translate(language) for language in LANGUAGES}) == 4
    assert str(database_error(sqlite3.OperationalError("36"))) == "the database reports OperationalError"
