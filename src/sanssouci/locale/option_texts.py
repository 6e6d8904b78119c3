"""What is said of options that have a setting of the server behind them: one text for help and for the docs.

They are here because ``sanssouci --help`` must not wait for the server to be loaded.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OptionText:
    """The words of one option."""

    kind: str
    """What one writes: NUMBER, FILE, URL ..."""
    help: str
    default: str
    """What holds if nothing is said, in words."""


OPTION_TEXTS = {
    "host": OptionText("HOST", "The address to listen on; 0.0.0.0 or :: for all.", "127.0.0.1"),
    "port": OptionText("NUMBER", "The port to listen on; 0 picks a free one.", "8017"),
    "data": OptionText("FILE", "The file that stores the tables.", "tables.db in the user's state folder"),
    "public_url": OptionText(
        "URL", "The address players use, if it differs from the one the server listens on.", "none"
    ),
}
"""By the names of the settings."""
