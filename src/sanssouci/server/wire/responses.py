"""Responses that several routes share, and the messages that the server sends on a socket.

Shapes with a writer of their own are defined next to it: views and events in ``sanssouci.table``, the game in
``sanssouci.notation``, reviews in ``sanssouci.review``, others in the routes.
"""

from typing import Annotated, Literal

from pydantic import Field

from sanssouci.notation.json_types import (
    ChairNumber,
    HashText,
    JsonObject,
    SeatNumber,
    SecretText,
    Seq,
    SquareText,
    TableId,
    TurnText,
)
from sanssouci.table import AnyEvent, TableView
from sanssouci.workers import TurnForecast

from ..middleware.errors import ErrorBody

CommandIdText = Annotated[str, Field(pattern="^[A-Za-z0-9_-]{1,64}$", description="The command's id.")]


class Update(JsonObject):
    """The new events and the current view. Sent first on every socket, and after every event."""

    type: Literal["update"]
    seq: Seq
    """The number of the last event, as in the view."""
    events: list[AnyEvent]
    """The events after the last one that you have, in order; at most 300."""
    view: TableView


class CommandAnswer(JsonObject):
    """The command was executed and is stored."""

    command_id: CommandIdText
    seq: Seq
    """The number of its event."""
    repeated: bool
    """Whether it had been executed before."""


class CommandDone(CommandAnswer):
    """The command was executed and is stored."""

    type: Literal["done"]


class CommandRefused(JsonObject):
    """The command was not executed. Nothing has changed, and its id may be used again."""

    type: Literal["refused"]
    command_id: CommandIdText
    error: ErrorBody
    retry_after: Annotated[int | None, Field(ge=1)]
    """Seconds after which the same command may succeed; null if it will not."""


class Pong(JsonObject):
    """The answer to a ping."""

    type: Literal["pong"]


class PresenceMessage(JsonObject):
    """Who has the table open, sent after the first update and at every change, if `hello` asks for it."""

    type: Literal["presence"]
    here: list[ChairNumber]
    """The chairs of people who have the table open, on any device; computer players are not listed."""


class NudgeMessage(JsonObject):
    """A person asks another one to play: sent to all players whose `hello` asks for presence.

    It is also the answer to a nudge less than 30 seconds after another one, which it describes.
    """

    type: Literal["nudge"]
    by: ChairNumber
    """The chair that has sent the nudge."""
    chair: ChairNumber
    """The chair that keeps the others waiting."""


ServerMessage = Annotated[
    Update | CommandDone | CommandRefused | Pong | PresenceMessage | NudgeMessage,
    Field(discriminator="type"),
]


class GuestAnswer(JsonObject):
    """You are a guest now."""

    name: str
    """Your display name."""
    token: SecretText | None
    """Your bearer token, shown only once; null if a cookie was set instead."""


class NameAnswer(JsonObject):
    """Your name has changed."""

    name: str
    """Your display name."""


class MeAnswer(JsonObject):
    """Your name, if you are a guest."""

    name: str | None
    """Your display name; null if you are not a guest yet."""


class DeletedAnswer(JsonObject):
    """It is deleted for good."""

    deleted: bool
    """Always true."""


class ForgottenAnswer(JsonObject):
    """You are no longer a guest of this server."""

    forgotten: bool
    """Always true."""


class SeatAnswer(JsonObject):
    """One of your chairs, with the secret of its seat link."""

    chair: ChairNumber
    """The chair."""
    token: SecretText
    """The secret. Anyone who has it may play on this chair."""


class LinkAnswer(JsonObject):
    """The new secret of a link."""

    link: Literal["join", "watch"]
    """The kind of link."""
    token: SecretText
    """The secret, shown only once."""


class CreatedAnswer(JsonObject):
    """The table was created. Its secrets are shown only once."""

    table: TableId
    """The table's id."""
    commitment: HashText | None
    """The dealer's commitment to the seed (see Fairness); null if the table continues a record."""
    seats: list[SeatAnswer]
    """Your chairs, with the secrets of their seat links."""
    join: SecretText
    """The secret of the join link."""
    watch: SecretText
    """The secret of the watch link."""


class TicketAnswer(JsonObject):
    """A ticket for one socket."""

    ticket: SecretText
    """Send it in the socket's `hello`."""
    chair: ChairNumber | None
    """The chair of the socket; null for a spectator."""
    seconds: Annotated[int, Field(ge=1)]
    """How long the ticket is valid."""


class Reason(JsonObject):
    """Why a turn is good."""

    key: str
    """The kind of reason."""
    sentence: str
    """The reason in the reader's language."""
    seat: SeatNumber | None
    """The seat whose garden the squares are in; null for your own."""
    squares: list[SquareText]
    """The squares it is about."""


class HintAnswer(JsonObject):
    """The best turn that was found."""

    turn: TurnText
    """The turn."""
    reasons: list[Reason]
    """Why it is good."""
    expected: TurnForecast
    others: list[TurnForecast]
    """The next best turns, at most five."""
