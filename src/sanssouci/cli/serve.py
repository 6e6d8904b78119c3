"""``sanssouci serve``: the game for friends by link, on this machine or for the internet."""

import gc
import os
import webbrowser
from typing import TYPE_CHECKING, Annotated

import typer

from .language import Lang, sentence, speak
from .output import remark
from .setting_options import Data, Host, Port, PublicUrl
from .start_up import StartUp

if TYPE_CHECKING:
    from sanssouci.server import Settings

Open = Annotated[bool, typer.Option("--open", help="Open it in the browser once it is ready.")]


def serve(
    host: Host = None,
    port: Port = None,
    data: Data = None,
    public_url: PublicUrl = None,
    open_: Open = False,
    lang: Lang = "",
) -> None:
    """Serve the game over HTTP; Ctrl-C stops it, and nothing is lost.

    These and all other settings can be given in the environment too: SANSSOUCI_PORT and so on.
    """
    gc.disable()  # nothing that is imported now is ever garbage; looking for it takes a sixth of the time
    from sanssouci.server import read_settings, unknown_variables
    from sanssouci.store import Locked

    speak(lang)
    for name in unknown_variables(os.environ):
        remark(sentence("serve.unknown_variable", name=name))
    typed = {"host": host, "port": port, "data": data, "public_url": public_url}
    try:
        _serve(read_settings(typed, os.environ), open_)
    except Locked as locked:
        if locked.url is None:
            raise
        remark(sentence("serve.running", url=locked.url))
        webbrowser.open(locked.url)
    finally:
        gc.enable()


def _serve(settings: "Settings", open_: bool) -> None:
    from sanssouci.server import serve_until_stopped

    start_up = StartUp(settings)

    def ready(url: str) -> None:
        gc.freeze()
        gc.enable()
        start_up.ready(url)
        if open_:
            webbrowser.open(settings.public_url or url)

    try:
        serve_until_stopped(settings, ready, start_up.progress)
    finally:
        start_up.end()
    remark(sentence("serve.stopped"))
