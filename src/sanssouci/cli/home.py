"""``sanssouci`` without a command: the game in the browser of this machine."""

from .hosting import host_until_stopped
from .language import speak


def open_game() -> None:
    """Serve the game for this machine and open it; if that was done before, it is only opened."""
    speak("")
    host_until_stopped({}, opens=True, any_port=True)
