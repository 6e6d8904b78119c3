"""One sentence if the packages of the extra ``env`` are missing."""

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needs_extra() -> Iterator[None]:
    """Turns an ``ImportError`` of the block into one that says what to install."""
    try:
        yield
    except ImportError as error:
        raise ImportError(
            f"{error.name} is not installed; the environments need: pip install 'sanssouci-game[env]'",
            name=error.name,
        ) from None
