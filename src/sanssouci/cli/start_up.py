"""What the host reads while a server starts: how far it is, where it can be found, what to beware of."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sanssouci.locale import printable

from .announcement import announce
from .language import sentence
from .output import err

if TYPE_CHECKING:
    from rich.live import Live

    from sanssouci.server import Settings
    from sanssouci.workers import StartProgress


class StartUp:
    """Tells it line by line; the one of the computer players moves, and is gone when they are ready."""

    def __init__(self, settings: "Settings") -> None:
        self._settings = settings
        self._moving: Live | None = None

    def ready(self, url: str) -> None:
        """People can come; computer players may need longer."""
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

    def progress(self, progress: "StartProgress") -> None:
        """A worker has gone one step further, or is ready."""
        from rich.text import Text

        if not progress.of:
            self.end()
            return
        if not err().is_terminal:
            return
        told = sentence("serve.preparing", done=progress.done + 1, of=progress.of)
        if self._moving is None:
            self._moving = _moving_line()
            self._moving.start()
        self._moving.update(Text(told, no_wrap=True), refresh=True)

    def end(self) -> None:
        """Nothing moves any more."""
        if self._moving is not None:
            self._moving.stop()
            self._moving = None


def _moving_line() -> "Live":
    """A line that changes at every step, and never by itself: a terminal that is held up holds up nobody."""
    from rich.live import Live

    return Live(
        console=err(), auto_refresh=False, transient=True, redirect_stdout=False, redirect_stderr=False
    )
