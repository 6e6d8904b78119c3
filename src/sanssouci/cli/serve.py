"""``sanssouci serve``, and ``sanssouci`` without a command: a server in this process until Ctrl-C."""

import gc
import os
import webbrowser
from collections.abc import Mapping
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from sanssouci.locale import UserError, printable

from .language import Lang, sentence, set_language
from .output import err, print_notice
from .setting_options import Data, Host, Port, PublicUrl

if TYPE_CHECKING:
    from rich.live import Live

    from sanssouci.server import Settings
    from sanssouci.workers import StartProgress

Open = Annotated[
    bool, typer.Option("--open", help="Open the game in the browser once computer players are ready.")
]

_PORT_TAKEN = "server.port_taken"
_WARNINGS = ("serve.not_encrypted", "serve.unknown_variable")


def serve(
    host: Host = None,
    port: Port = None,
    data: Data = None,
    public_url: PublicUrl = None,
    open_: Open = False,
    lang: Lang = "",
) -> None:
    """Serve the game over HTTP; Ctrl-C stops it, and all games are saved.

    These and all other settings can also be set in the environment, like SANSSOUCI_PORT.
    """
    set_language(lang)
    serve_until_stopped({"host": host, "port": port, "data": data, "public_url": public_url}, opens=open_)


def open_game() -> None:
    """Open the game in the browser, served by this process or by one that already runs."""
    set_language("")
    serve_until_stopped({}, opens=True, for_player=True)


def serve_until_stopped(options: Mapping[str, str | None], opens: bool, for_player: bool = False) -> None:
    """Serve until Ctrl-C; ``UserError`` if a server already has the data file.

    ``opens`` the browser once computer players can play. A player (``for_player``) does not care which server
    it is: a free port is taken if the configured one is in use, and a running server is opened.
    """
    gc.disable()  # imports create no garbage; looking for it would take a sixth of the start-up time
    from sanssouci.store import Locked

    try:
        settings = read_host_settings(options)
        try:
            _serve(settings, opens, for_player)
        except Locked as locked:
            if locked.url is None:
                raise
            if not for_player:
                raise UserError("serve.running", url=locked.url) from None
            announce(settings, "serve.running", url=locked.url)
            open_browser(settings, locked.url)
    finally:
        gc.enable()


def announce(settings: "Settings", key: str, **values: object) -> None:
    """Print a sentence to the host, or log it as an event if the log is JSON."""
    text = sentence(key, **values)
    if settings.log_format != "json":
        print_notice(text)
        return
    import structlog

    logger = structlog.stdlib.get_logger("sanssouci.cli")
    (logger.warning if key in _WARNINGS else logger.info)(key, sentence=text)


def open_browser(settings: "Settings", url: str) -> None:
    """Open a URL in the browser; print it if there is no browser."""
    if not _opened(url):
        announce(settings, "serve.no_browser", url=url)


def _opened(url: str) -> bool:
    """Whether a browser was opened; a text browser would take over this terminal, so it must be asked for."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser and not os.environ.get("BROWSER"):
        return False
    return webbrowser.open(url)


def read_host_settings(options: Mapping[str, str | None]) -> "Settings":
    """The settings; unknown variables are reported, above all when another setting is wrong."""
    from sanssouci.server import configure_logs, read_settings, unknown_variables

    unknown = unknown_variables(os.environ)
    try:
        settings = read_settings(options, os.environ)
    except UserError:
        for name in unknown:
            print_notice(sentence("serve.unknown_variable", name=name))
        raise
    configure_logs(settings.log_level, settings.log_format)
    for name in unknown:
        announce(settings, "serve.unknown_variable", name=name)
    return settings


def _serve(settings: "Settings", opens: bool, for_player: bool) -> None:
    from sanssouci import server

    start = StartUp(settings, opens)

    def ready(url: str) -> None:
        gc.freeze()
        gc.enable()
        start.ready(url)

    try:
        server.serve_until_stopped(settings, ready, start.progress)
    except UserError as error:
        if error.key != _PORT_TAKEN or not for_player:
            raise
        server.serve_until_stopped(replace(settings, port=0), ready, start.progress)
    finally:
        start.end()
    announce(settings, "serve.stopped")


class StartUp:
    """Reports the start of a server line by line, and opens the browser when everybody can play."""

    def __init__(self, settings: "Settings", opens: bool = False) -> None:
        self._settings = settings
        self._opens = opens
        self._url: str | None = None
        self._players_ready = False
        self._progress_line: Live | None = None

    def ready(self, url: str) -> None:
        """The server accepts connections; computer players may need longer."""
        self._print_addresses(url)
        self._url = url
        self._open_once()

    def progress(self, progress: "StartProgress") -> None:
        """A worker has finished one step of its start, or is ready."""
        if not progress.of:
            self.end()
        elif err().is_terminal:
            self._show(sentence("serve.preparing", done=progress.done + 1, of=progress.of))
        self._players_ready = self._players_ready or progress.ready > 0
        self._open_once()

    def end(self) -> None:
        """Remove the progress line."""
        if self._progress_line is not None:
            self._progress_line.stop()
            self._progress_line = None

    def _print_addresses(self, url: str) -> None:
        from sanssouci.server import Settings, is_loopback, lan_urls

        settings = self._settings
        announce(settings, "serve.ready", url=url)
        if settings.public_url is not None:
            announce(settings, "serve.public", url=settings.public_url)
        else:
            for each in lan_urls(settings.host, urlsplit(url).port or 80):
                announce(settings, "serve.network", url=each)
        announce(settings, "serve.data", path=printable(settings.data))
        if settings.players != Settings().players:
            announce(settings, "serve.players", players=", ".join(settings.players))
        if not is_loopback(settings.host) and not (settings.public_url or "").startswith("https:"):
            announce(settings, "serve.not_encrypted", host=settings.host)

    def _show(self, text: str) -> None:
        from rich.live import Live
        from rich.text import Text

        if self._progress_line is None:
            # Refreshed by steps only, never by a thread: a terminal that blocks must not block the server.
            self._progress_line = Live(
                console=err(),
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._progress_line.start()
        self._progress_line.update(Text(text, no_wrap=True), refresh=True)

    def _open_once(self) -> None:
        if self._opens and self._url is not None and self._players_ready:
            self._opens = False
            url = self._settings.public_url or self._url
            # In a thread: some browsers take seconds, and then ask a server that must answer.
            Thread(target=open_browser, args=(self._settings, url), daemon=True).start()
