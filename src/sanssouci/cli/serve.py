"""``sanssouci serve``: the game for friends by link, on this machine or for the internet."""

import gc
import os
import webbrowser
from typing import Annotated

import typer

from .language import sentence
from .output import remark

Host = Annotated[
    str | None,
    typer.Option(help="The address to listen at; 0.0.0.0 or :: for all.", show_default="127.0.0.1"),
]
Port = Annotated[
    str | None, typer.Option(help="The port to listen at; 0 takes a free one.", show_default="8017")
]
Data = Annotated[
    str | None,
    typer.Option(
        help="The file that keeps the tables.", metavar="FILE", show_default="in the user's state folder"
    ),
]
PublicUrl = Annotated[
    str | None,
    typer.Option(
        help="Where players find the server, if it is elsewhere.", metavar="URL", show_default="none"
    ),
]
Open = Annotated[bool, typer.Option("--open", help="Open it in the browser once it is ready.")]


def serve(
    host: Host = None, port: Port = None, data: Data = None, public_url: PublicUrl = None, open_: Open = False
) -> None:
    """Serve the game over HTTP; Ctrl-C stops it, and nothing is lost.

    These and all other settings can be given in the environment too: SANSSOUCI_PORT and so on.
    """
    gc.disable()  # nothing that is imported now is ever garbage; looking for it takes a sixth of the time
    from sanssouci.server import read_settings, serve_until_stopped, unknown_variables
    from sanssouci.store import Locked

    for name in unknown_variables(os.environ):
        remark(sentence("serve.unknown_variable", name=name))
    typed = {"host": host, "port": port, "data": data, "public_url": public_url}

    def ready(url: str) -> None:
        gc.freeze()
        gc.enable()
        remark(sentence("serve.ready", url=url))
        if open_:
            webbrowser.open(url)

    try:
        serve_until_stopped(read_settings(typed, os.environ), ready)
        remark(sentence("serve.stopped"))
    except Locked as locked:
        if locked.url is None:
            raise
        remark(sentence("serve.running", url=locked.url))
        webbrowser.open(locked.url)
    finally:
        gc.enable()
