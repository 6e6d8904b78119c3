"""Finds and opens the data file or database for the commands of a host."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from sanssouci.locale import UserError

from .language import current_language
from .output import print_notice

if TYPE_CHECKING:
    from sanssouci.store import Address, DamagedRow, Reader, Store


def data_address(typed: str | None) -> "Address":
    """The data file or database: the option, else the environment variable, else the server's default."""
    from sanssouci.server import data_setting

    return data_setting(typed, os.environ)


@contextmanager
def opened(typed: str | None, create: bool = False) -> "Iterator[Store]":
    """The data file, opened for writing, also beside a server of the same version.

    If the block fails, a file that was created by opening it is removed.
    """
    address = data_address(typed)
    with locked_as_user_error():
        store = open_store(address, create)
    try:
        yield store
    except BaseException:
        store.discard()
        raise
    store.close()


def open_store(address: "Address", create: bool) -> "Store":
    from sanssouci.store import Locked, Store

    try:
        return Store.open(address, create)
    except Locked as locked:
        assert isinstance(address, Path), "only files are locked"
        store = Store.open_beside(address)
        if store is None:
            raise locked from None
        return store


@contextmanager
def readable(typed: str | None) -> "Iterator[Reader]":
    """The data file for reading; a snapshot if a server has opened it."""
    with ExitStack() as stack:
        with locked_as_user_error():
            reader = reader_of(data_address(typed), stack)
        yield reader


def reader_of(address: "Address", stack: ExitStack) -> "Reader":
    """A reader of all data at one moment, while other processes may write.

    ``Locked`` only if a server with another schema version has opened the file.
    """
    from sanssouci.store import Locked, Store, open_snapshot

    if not isinstance(address, Path):  # other processes may write to a database at any time
        snapshot = stack.enter_context(open_snapshot(address))
        if snapshot is None:
            raise UserError("store.other_schema", path=address)
        return snapshot
    try:
        return stack.enter_context(Store.open(address, create=False, for_writing=False))
    except Locked as locked:
        moment = stack.enter_context(open_snapshot(address))
        if moment is None:
            raise locked from None
        return moment


def source_of(address: "Address", stack: ExitStack) -> "Reader":
    """A reader of data that are to be moved: ``Locked`` if a server has opened the file."""
    from sanssouci.store import Store

    if not isinstance(address, Path):
        return reader_of(address, stack)
    return stack.enter_context(Store.open(address, create=False, for_writing=False))


def report_damaged(row: "DamagedRow") -> None:
    """Report a row that was left out because it is damaged."""
    print_notice(row.located().translate(current_language()))


@contextmanager
def locked_as_user_error() -> Iterator[None]:
    """Turns ``Locked`` into an error that names the address of the server."""
    from sanssouci.store import Locked

    try:
        yield
    except Locked as locked:
        if locked.url is None:
            raise
        raise UserError("admin.running", url=locked.url, **locked.details) from None
