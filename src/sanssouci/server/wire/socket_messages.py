"""What comes by the socket: updates, and the answers to commands and pings."""

from typing import Annotated, Literal

from pydantic import Field

from .errors import ErrorBody
from .events import AnyEvent
from .scalars import Seq, WireDict
from .table_view import TableView

CommandIdText = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,64}$", description="The command's id.")]


class Update(WireDict):
    """What has happened, and the table as it is now. It is sent at first, and after every event."""

    type: Literal["update"]
    seq: Seq
    """The number of the last event; as in the view."""
    events: list[AnyEvent]
    """The events since the last one that you have, in order; the last 300 at most."""
    view: TableView
    """The table as you may see it now."""


class CommandDone(WireDict):
    """A command was carried out, and is kept safely."""

    type: Literal["done"]
    command_id: CommandIdText
    seq: Seq
    """The event that it has become."""
    repeated: bool
    """Whether it had been carried out before."""


class CommandRefused(WireDict):
    """A command was not carried out; nothing has changed, and its id is free again."""

    type: Literal["refused"]
    command_id: CommandIdText
    error: ErrorBody
    """Why not."""
    retry_after: Annotated[int | None, Field(ge=1)]
    """Seconds after which the same may succeed; null: it will not."""


class Pong(WireDict):
    """The line holds."""

    type: Literal["pong"]


ServerMessage = Annotated[Update | CommandDone | CommandRefused | Pong, Field(discriminator="type")]
