"""``sanssouci worker``: computer players for servers on other machines."""

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING, Annotated

import typer

from sanssouci.locale import UserError

from . import plurals
from .language import Lang, set_language
from .serve import announce, read_host_settings

if TYPE_CHECKING:
    from sqlalchemy import URL

    from sanssouci.server import Settings

_CLOSING = 2.0
"""Seconds for processes to end after the last job."""


def worker(
    processes: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=1024,
            help="Worker processes.",
            metavar="NUMBER",
            show_default="SANSSOUCI_WORKERS, else one per core",
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Only check whether a worker on this machine is ready; exit with 2 if not."
        ),
    ] = False,
    lang: Lang = "",
) -> None:
    """Run computer players, hints and reviews for servers on other machines; Ctrl-C stops it.

    SANSSOUCI_REDIS is the URL of the servers' Redis. Use the same SANSSOUCI_PLAYERS as they do.
    """
    set_language(lang)
    settings = read_host_settings({})
    if settings.redis is None:
        raise UserError("worker.no_redis")
    try:
        from sanssouci.workers.queue_worker import is_running_here
        from sanssouci.workers.redis_queue import check_queue
    except ModuleNotFoundError:
        raise UserError("cluster.no_driver") from None

    if check:
        if not asyncio.run(is_running_here(settings.redis)):
            raise UserError("worker.not_running")
        return
    asyncio.run(check_queue(settings.redis))
    asyncio.run(_work(settings, settings.redis, processes or _default_processes(settings)))
    announce(settings, "worker.stopped")


def _default_processes(settings: "Settings") -> int:
    """All cores, because no server runs here."""
    if os.environ.get("SANSSOUCI_WORKERS"):
        return settings.workers
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


async def _work(settings: "Settings", url: "URL", processes: int) -> None:
    from sanssouci.server import pool_config
    from sanssouci.workers.queue_worker import QueueWorker, RelayPool

    pool = RelayPool(processes, settings.players, pool_config(settings))
    queue_worker = QueueWorker(url, pool, processes)
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):  # on Windows
            asyncio.get_running_loop().add_signal_handler(number, queue_worker.stop)
    counted = plurals.processes(processes)
    announce(settings, "worker.starting", processes=counted)
    pool.start()
    try:
        await queue_worker.run(lambda: announce(settings, "worker.ready", url=url, processes=counted))
    finally:
        await pool.close(_CLOSING)
