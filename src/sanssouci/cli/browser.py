"""The browser of whoever sits at this machine."""

import os
import webbrowser
from threading import Thread
from typing import TYPE_CHECKING

from .announcement import announce

if TYPE_CHECKING:
    from sanssouci.server import Settings


def open_browser(settings: "Settings", url: str) -> None:
    """Open an address; where there is nothing to open it with, it is told."""
    if not _opened(url):
        announce(settings, "serve.no_browser", url=url)


def open_browser_soon(settings: "Settings", url: str) -> None:
    """The same without waiting: some browsers take seconds, and then ask a server that must answer."""
    Thread(target=open_browser, args=(settings, url), daemon=True).start()


def _opened(url: str) -> bool:
    """Whether a browser was opened; one that would take this terminal is not, unless it was asked for."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    if type(browser) is webbrowser.GenericBrowser and not os.environ.get("BROWSER"):
        return False
    return webbrowser.open(url)
