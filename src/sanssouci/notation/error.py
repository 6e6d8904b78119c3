"""What is wrong with a text."""

from sanssouci.locale import Complaint


class NotationError(Complaint):
    """A text that does not name what it should."""
