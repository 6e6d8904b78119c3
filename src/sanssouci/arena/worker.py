"""A worker process of the pool: it does one item after the other until its pipe is closed."""

import contextlib
import os
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from threading import Thread
from typing import Any

from sanssouci.locale import UserError
from sanssouci.players import stop_engines

from .executor import Task

READY = "ready"
"""The first message of a worker; one that dies before sending it was not killed by its item."""


def work(task: Task[Any, Any], pipe: Connection) -> None:
    """Do the items that come through the pipe until it is closed."""
    _keep_results_clean()
    Thread(target=_end_with_the_parent, daemon=True).start()
    with contextlib.suppress(EOFError, OSError):
        pipe.send(READY)
        while True:
            pipe.send(_result(task, pipe.recv()))
    stop_engines()


def _result(task: Task[Any, Any], item: Any) -> Any:
    """The result of an item, or the ``UserError`` that ends the run."""
    try:
        return task.run([item])
    except UserError as user_error:
        return user_error


def _keep_results_clean() -> None:
    """Send what players print to standard error: standard output belongs to the arena."""
    with contextlib.suppress(OSError):
        os.dup2(2, 1)


def _end_with_the_parent() -> None:
    """Exit when the parent is gone, even in the middle of a long turn."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
