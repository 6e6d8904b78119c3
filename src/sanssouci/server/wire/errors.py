"""Error responses."""

from typing import Annotated

from pydantic import Field

from .scalars import Rule, WireDict


class ErrorBody(WireDict):
    """Why something was not done."""

    code: Annotated[str, Field(pattern=r"^[a-z_]+\.[a-z_0-9]+$")]
    """For programs, from the list of codes."""
    rule: Rule | None
    """The rule of the game that says so, if one does."""
    sentence: str
    """For people, in their language."""


class ErrorAnswer(WireDict):
    """A request was refused; nothing has changed."""

    error: ErrorBody
    """Why."""
