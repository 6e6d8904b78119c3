"""Views: a table as a viewer on a chair or a spectator may see it. No other module shows tables to clients.

Fields are listed one by one. Secrets get in only through ``State.view`` and ``Setup.view``, by seat.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from sanssouci.dealer import Scheme, write_seed
from sanssouci.notation import (
    GameViewJson,
    OptionsJson,
    SetupViewJson,
    write_options,
    write_own_view,
    write_setup_view,
    write_view,
)
from sanssouci.notation.json_types import (
    ChairNumber,
    Count,
    HashText,
    JsonObject,
    NonceText,
    Round,
    SeatNumber,
    Seq,
    TableId,
    Timestamp,
)

from .chairs import Chair, ChairView, SummaryChair, write_chair
from .commands import CommandType
from .permissions import permitted, permitted_offers
from .rejection import CommandRejected, RejectReason
from .settings import Terms, write_settings
from .stand_ins import vote_from
from .table_state import Ending, Offer, OfferKind, TableState

StageName = Literal["lobby", "picking", "playing", "over"]


class You(JsonObject):
    """Your role at the table, and what you may do now."""

    chair: ChairNumber | None
    """Your chair; null for a spectator."""
    seat: SeatNumber | None
    """Your place in turn order; null without one."""
    owner: bool
    """Whether you own the table."""
    may: list[CommandType]
    """The types of commands that would be executed now (`vote` from `vote_from` on); all others are refused.
    """
    offers: list[OfferKind]
    """The offers that you may make now (`offer`)."""


class OfferView(JsonObject):
    """A question to all people at the table. It lapses when a person plays a turn."""

    number: Annotated[int, Field(ge=1)]
    """Its number, which `accept` and `decline` send as `offer`."""
    what: OfferKind
    """To end the game without a result, to pause it, or to take back the last turn of `chair`."""
    chair: ChairNumber
    """The chair that has made it."""
    agreed: list[ChairNumber]
    """The chairs that have agreed, including `chair`."""


class Fair(JsonObject):
    """The proof of the shuffle."""

    seed: HashText
    """The dealer's seed, in hex."""
    nonces: list[NonceText]
    """The nonce of each chair; empty for a computer player."""


class GameEnd(JsonObject):
    """How a game ended."""

    manner: Literal["played", "conceded", "abandoned"]
    """Played to the last turn, ended by conceding, or abandoned without a result."""
    winners: list[SeatNumber]
    """The winning seats; several share the victory."""
    fair: Fair | None
    """The proof of the shuffle; null if nothing was dealt, or the deal came from a record."""


class OriginView(JsonObject):
    """A record that a table continues."""

    turn: Annotated[int, Field(ge=0, le=71)]
    """The number of its turns that count as played."""


class TableFields(JsonObject):
    table: TableId
    """The table's id."""
    stage: StageName
    """The stage of the table."""
    terms: Terms
    commitment: HashText | None
    """The dealer's commitment to the seed (see Fairness); null if the table continues a record."""
    scheme: Scheme | None
    """How the game is dealt (see Fairness); null if the table continues a record."""
    deal_commitment: HashText | None
    """The commitment to the seed, all nonces and the terms, once everyone is ready; null under `fair/1`."""
    shuffling: bool
    """Whether everyone is ready and the table waits for nonces (`reveal`)."""
    unanswered: list[str]
    """The names of people who did not reveal their nonces, so that the last shuffle was given up."""
    origin: OriginView | None
    """The record that the table continues; null for a game dealt here."""
    chairs: list[ChairView]
    """All chairs, by number."""
    waiting: list[ChairNumber]
    """The chairs that are to act now: be ready, reveal, pick or play. While all people are away nobody acts
    for them."""
    since: Timestamp
    """When the wait began."""
    deadline: Timestamp | None
    """When the clock runs out for the people in `waiting` who are present; null if no clock is running."""
    vote_from: Timestamp | None
    """When `vote` becomes possible for the people in `waiting`, or null."""
    agreed: list[ChairNumber]
    """The chairs that have agreed to abandon the game."""
    offer: OfferView | None
    """The open offer, if there is one."""
    paused: bool
    """Whether people have paused the game by agreement. `return` resumes it for all of them."""
    taken_back: Count
    """How often a turn was taken back."""
    you: You
    setup: SetupViewJson | None
    """The choices before the first turn; null afterwards."""
    game: GameViewJson | None
    """The game, once the hands are dealt."""
    options: OptionsJson | None
    """Your legal turns when it is your turn, otherwise null."""
    ending: GameEnd | None
    """How the game ended; null until then."""
    rematch: TableId | None
    """The table of the rematch, if there is one."""


class TableView(TableFields):
    """A table as you may see it."""

    seq: Seq
    """The number of the last event, which commands send as `expected_seq`."""


class PastAnswer(JsonObject):
    """The game after one of its turns, as you could see it then."""

    turn: Annotated[int, Field(ge=0, le=72)]
    """The number of turns played at that position."""
    last: Annotated[int, Field(ge=0, le=72)]
    """The number of turns played by now."""
    game: GameViewJson


class ListedFields(JsonObject):
    table: TableId
    """The table's id."""
    stage: StageName
    """The stage of the table."""
    terms: Terms
    round: Round | None
    """The round; null before the first turn."""


class TableSummary(ListedFields):
    """The public summary of a table as the store holds it, for lists."""

    chairs: list[SummaryChair]


class _OwnFields(TypedDict, total=False):
    """The viewer's own part of a view."""

    setup: SetupViewJson | None
    game: GameViewJson
    options: OptionsJson | None


@dataclass(frozen=True, slots=True)
class Viewer:
    chair: int | None = None
    owner: bool = False


SPECTATOR = Viewer()


def write_table(state: TableState, viewer: Viewer, public: TableFields | None = None) -> TableFields:
    """The view of a table.

    ``public`` is the result of ``write_public`` for the same state, to share it among several viewers.
    """
    public = write_public(state) if public is None else public
    return {**public, "you": _write_viewer(state, viewer), **_write_game(state, viewer, public)}


def write_public(state: TableState) -> TableFields:
    """The view of a spectator without any rights, which is part of every view."""
    return {
        "table": state.table,
        "stage": state.stage.value,
        "terms": write_settings(state.settings),
        "commitment": state.commitment,
        "scheme": None if state.commitment is None else state.scheme,
        "deal_commitment": state.deal_commitment,
        "shuffling": state.shuffling,
        "unanswered": list(state.unanswered),
        "origin": None if state.origin is None else {"turn": state.origin.turn},
        "chairs": [
            write_chair(chair, place, state.seat_of(place)) for place, chair in enumerate(state.chairs)
        ],
        "waiting": list(state.waiting),
        "since": state.since,
        "deadline": state.deadline,
        "vote_from": vote_from(state),
        "agreed": sorted(state.agreed),
        "offer": None if state.offer is None or state.ending is not None else _write_offer(state.offer),
        "paused": bool(state.pause),
        "taken_back": state.taken_back,
        "you": _write_viewer(state, SPECTATOR),
        "setup": _write_setup(state, None),
        "game": None if state.game is None else write_view(state.game.view(None)),
        "options": None,
        "ending": None if state.ending is None else _write_ending(state, state.ending),
        "rematch": state.rematch,
    }


def write_past(state: TableState, viewer: Viewer, turn: int) -> PastAnswer:
    """The game after some of its turns, as the viewer saw it then.

    ``CommandRejected`` if the game has not come that far. Turns that were taken back are not included.
    """
    last = len(state.states) - 1
    if last < 0:
        raise CommandRejected(RejectReason.NOT_PLAYING)
    if turn not in range(last + 1):
        raise CommandRejected(RejectReason.NO_SUCH_TURN, last=last)
    game = state.states[turn]
    seat = None if viewer.chair is None else state.seat_of(viewer.chair)
    view = write_view(game.view(None))
    if seat is not None:
        view = {**view, **write_own_view(game.view(seat))}
    return {"turn": turn, "last": last, "game": view}


def write_summary(state: TableState) -> TableSummary:
    """A table in a list: a short public summary."""
    game = state.game
    return {
        "table": state.table,
        "stage": state.stage.value,
        "terms": write_settings(state.settings),
        "chairs": [_write_summary_chair(chair) for chair in state.chairs],
        "round": None if game is None else game.round,
    }


def _write_summary_chair(chair: Chair) -> SummaryChair:
    written: SummaryChair = {
        "sitter": chair.sitter.value,
        "name": chair.name,
        "player": chair.player or None,
    }
    if chair.away:
        written["away"] = True
    return written


def _write_viewer(state: TableState, viewer: Viewer) -> You:
    chair = viewer.chair
    may = permitted(state, chair, viewer.owner)
    return {
        "chair": chair,
        "seat": None if chair is None else state.seat_of(chair),
        "owner": viewer.owner,
        "may": may,
        "offers": [] if chair is None or "offer" not in may else permitted_offers(state, chair),
    }


def _write_offer(offer: Offer) -> OfferView:
    return {
        "number": offer.number,
        "what": offer.what,
        "chair": offer.chair,
        "agreed": sorted(offer.agreed),
    }


def _write_game(state: TableState, viewer: Viewer, public: TableFields) -> _OwnFields:
    """The viewer's private part of the game, with the options if it is their turn."""
    if viewer.chair is None:
        return {}
    seat = state.seat_of(viewer.chair)
    if state.game is None:
        return {"setup": _write_setup(state, seat)}
    view = state.game.view(seat)
    options = write_options(view.options()) if viewer.chair in state.waiting else None
    assert public["game"] is not None, "it is the view of the same state"
    return {"game": {**public["game"], **write_own_view(view)}, "options": options}


def _write_setup(state: TableState, seat: int | None) -> SetupViewJson | None:
    """The set-up; None once the hands are dealt."""
    if state.game is not None or state.setup is None:
        return None
    return write_setup_view(state.setup.view(seat))


def _write_ending(state: TableState, ending: Ending) -> GameEnd:
    fair: Fair | None = None
    if ending.seed is not None:
        fair = {"seed": write_seed(ending.seed), "nonces": list(state.nonces)}
    return {"manner": ending.reason.value, "winners": list(ending.winners), "fair": fair}
