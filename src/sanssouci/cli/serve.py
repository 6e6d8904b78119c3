"""``sanssouci serve``: the game for friends by link, on this machine or for the internet."""

from typing import Annotated

import typer

from .hosting import host_until_stopped
from .language import Lang, speak
from .setting_options import Data, Host, Port, PublicUrl

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
    speak(lang)
    host_until_stopped({"host": host, "port": port, "data": data, "public_url": public_url}, opens=open_)
