"""Texts of the options that are server settings, for ``--help`` and for the docs.

They are here so that ``sanssouci --help`` does not import the server.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class OptionText:
    """The texts of one option."""

    kind: str
    """The placeholder of its value: NUMBER, FILE, URL ..."""
    help: str
    default: str
    """A description of the default."""


OPTION_TEXTS = {
    "host": OptionText("HOST", "The address to listen on; 0.0.0.0 or :: for all.", "127.0.0.1"),
    "port": OptionText("NUMBER", "The port to listen on; 0 picks a free one.", "8017"),
    "data": OptionText(
        "FILE",
        "The file that stores the tables, or the URL of a PostgreSQL database.",
        "tables.db in the user's state folder",
    ),
    "public_url": OptionText(
        "URL", "The address players use, if it differs from the one the server listens on.", "none"
    ),
}
"""By the names of the settings."""
