"""A server in this process, from the typed settings to its end; the browser is opened on it if wanted."""

import gc
import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from sanssouci.locale import UserError

from .announcement import announce
from .browser import open_browser, open_browser_soon
from .language import sentence
from .output import remark
from .start_up import StartUp

if TYPE_CHECKING:
    from sanssouci.server import Settings
    from sanssouci.workers import StartProgress

_TAKEN = "server.port_taken"


def host_until_stopped(typed: Mapping[str, str | None], opens: bool, any_port: bool = False) -> None:
    """Serve until Ctrl-C, or show the server that has the data file already.

    ``opens`` the browser once computer players can play; with ``any_port`` another one is taken where the
    port is not free.
    """
    gc.disable()  # nothing that is imported now is ever garbage; looking for it takes a sixth of the time
    from sanssouci.store import Locked

    try:
        settings = _settings(typed)
        try:
            _serve(settings, opens, any_port)
        except Locked as locked:
            if locked.url is None:
                raise
            announce(settings, "serve.running", url=locked.url)
            open_browser(settings, locked.url)
    finally:
        gc.enable()


def _settings(typed: Mapping[str, str | None]) -> "Settings":
    """The settings; names that are none are told, most of all if another is wrong."""
    from sanssouci.server import configure_logs, read_settings, unknown_variables

    unknown = unknown_variables(os.environ)
    try:
        settings = read_settings(typed, os.environ)
    except UserError:
        for name in unknown:
            remark(sentence("serve.unknown_variable", name=name))
        raise
    configure_logs(settings.log_level, settings.log_format)
    for name in unknown:
        announce(settings, "serve.unknown_variable", name=name)
    return settings


def _serve(settings: "Settings", opens: bool, any_port: bool) -> None:
    from sanssouci.server import serve_until_stopped

    hosting = _Hosting(settings, opens)
    try:
        serve_until_stopped(settings, hosting.ready, hosting.progress)
    except UserError as user_error:
        if user_error.key != _TAKEN or not any_port:
            raise
        serve_until_stopped(replace(settings, port=0), hosting.ready, hosting.progress)
    finally:
        hosting.start_up.end()
    announce(settings, "serve.stopped")


class _Hosting:
    """What is done while a server starts."""

    def __init__(self, settings: "Settings", opens: bool) -> None:
        self.start_up = StartUp(settings)
        self._settings = settings
        self._opens = opens
        self._url: str | None = None
        self._players_ready = False

    def ready(self, url: str) -> None:
        """People can come."""
        gc.freeze()
        gc.enable()
        self.start_up.ready(url)
        self._url = url
        self._open()

    def progress(self, progress: "StartProgress") -> None:
        """Computer players get ready."""
        self.start_up.progress(progress)
        self._players_ready = self._players_ready or progress.ready > 0
        self._open()

    def _open(self) -> None:
        """Show the game, once: as soon as everybody can play."""
        if self._opens and self._url is not None and self._players_ready:
            self._opens = False
            open_browser_soon(self._settings, self._settings.public_url or self._url)
