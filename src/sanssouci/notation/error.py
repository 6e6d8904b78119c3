"""The error of the notation."""

from sanssouci.locale import UserError


class NotationError(UserError):
    """A text that does not name what it should."""
