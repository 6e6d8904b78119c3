"""What the system, the database and Python's readers say is told in the reader's own language."""

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
def test_common_reasons_have_our_words(name: str) -> None:
    """Four languages, and in none of them what the system says."""
    code = getattr(errno, name)
    told = os_error_reason(OSError(code, os.strerror(code)))
    assert isinstance(told, UserError)
    said = {told.translate(language) for language in LANGUAGES}
    assert len(said) == 4 and os.strerror(code) not in said


def test_rare_reasons_are_told_as_the_system_says_them() -> None:
    """So are those without a number; a name that no system takes has a sentence."""
    assert os_error_reason(OSError(errno.EPROTO, "Protocol error")) == "Protocol error"
    assert os_error_reason(TimeoutError()) == "TimeoutError"
    with pytest.raises(ValueError) as caught:
        os.stat("a\0b")  # noqa: PTH116 - only a text can be so wrong
    assert str(os_error_reason(caught.value)) == "this is not a valid file name"


@pytest.mark.parametrize(
    "text", ["", "{", "{1:2}", '{"a" 1}', "[1 2]", '["a', '["a\nb"]', '["\\x"]', '["\\u12"]', "1 2", "[1,]"]
)
def test_what_is_wrong_with_json_is_told_with_its_place(text: str) -> None:
    """Line and column, then our words: nothing of Python's is left in any language."""
    with pytest.raises(UserError) as caught:
        parse_json(text.encode())
    assert caught.value.key == "json.bad" and isinstance(caught.value.details["reason"], UserError)
    assert len({caught.value.translate(language) for language in LANGUAGES}) == 4


def test_what_is_wrong_with_toml_is_told_with_its_place() -> None:
    """The place in the reader's language; at the end of a file there is none."""
    with pytest.raises(BoardsError) as caught:
        parse_boards(b"[boards]\nname = ?\n")
    assert "Zeile 2, Spalte 8" in caught.value.translate("de") and "(at" not in caught.value.translate("de")
    with pytest.raises(BoardsError) as caught:
        parse_boards(b'name = "x')
    assert caught.value.key in ("boards.not_toml", "boards.not_toml_at")


def test_what_the_database_says(tmp_path: Path) -> None:
    """No database, one that cannot be opened, and what is rare: never in the driver's words."""
    path = tmp_path / "diary.db"
    path.write_text("Dear diary, " * 100)
    with pytest.raises(UserError) as caught:
        Store.open(path)
    assert caught.value.translate("de") == f"{path} ist keine Datendatei"
    with pytest.raises(sqlite3.Error) as failed, closing(sqlite3.connect(tmp_path / "no" / "x")):
        pass
    assert isinstance(told := database_error(failed.value), UserError)
    assert len({told.translate(language) for language in LANGUAGES}) == 4
    assert str(database_error(sqlite3.OperationalError("36"))) == "the database reports OperationalError"
