"""Finds and opens the data file for the commands of a host."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sanssouci.locale import UserError

from .language import spoken
from .output import remark

if TYPE_CHECKING:
    from sanssouci.store import DamagedRow, Reader, Store


def data_path(typed: str | None) -> Path:
    """The data file: the option, else the environment variable, else the server's default."""
    from sanssouci.server import data_setting

    return data_setting(typed, os.environ)


@contextmanager
def opened(typed: str | None, create: bool = False) -> "Iterator[Store]":
    """The data file, which no server may have; ``UserError`` with its address if one has.

    What fails in here leaves no file that was not there before.
    """
    from sanssouci.store import Store

    path = data_path(typed)
    with refusing_beside_a_server():
        store = Store.open(path, create)
    try:
        yield store
    except BaseException:
        store.discard()
        raise
    store.close()


@contextmanager
def readable(typed: str | None) -> "Iterator[Reader]":
    """The data file for reading; a snapshot if a server has opened it."""
    with ExitStack() as stack:
        with refusing_beside_a_server():
            reader = _reader(data_path(typed), stack)
        yield reader


def _reader(path: Path, stack: ExitStack) -> "Reader":
    """``Locked`` only if a server with another schema version has opened the file."""
    from sanssouci.store import Locked, Store, open_snapshot

    try:
        return stack.enter_context(Store.open(path, create=False))
    except Locked as locked:
        moment = stack.enter_context(open_snapshot(path))
        if moment is None:
            raise locked from None
        return moment


def tell_damaged(row: "DamagedRow") -> None:
    """Report a row that was left out because it is damaged."""
    remark(row.located().translate(spoken()))


@contextmanager
def refusing_beside_a_server() -> Iterator[None]:
    """Turns ``Locked`` into an error that names the address of the server."""
    from sanssouci.store import Locked

    try:
        yield
    except Locked as locked:
        if locked.url is None:
            raise
        raise UserError("admin.running", url=locked.url, **locked.details) from None
