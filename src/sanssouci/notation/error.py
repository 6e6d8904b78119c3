"""What is wrong with a text."""

from sanssouci.locale import UserError


class NotationError(UserError):
    """A text that does not name what it should."""
