"""Views: a table as a viewer on a chair or a spectator may see it. No other module shows tables to clients.

Fields are listed one by one. Secrets get in only through ``State.view`` and ``Setup.view``, by seat.
"""

from dataclasses import dataclass
from typing import Any

from sanssouci.dealer import write_seed
from sanssouci.notation import SetupViewJson, write_options, write_own_view, write_setup_view, write_view

from .chairs import write_chair
from .permissions import permitted
from .rejection import CommandRejected, RejectReason
from .settings import write_settings
from .stand_ins import vote_from
from .table_state import Ending, TableState

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Viewer:
    chair: int | None = None
    owner: bool = False


SPECTATOR = Viewer()


def write_table(state: TableState, viewer: Viewer, public: Json | None = None) -> Json:
    """The view of a table.

    ``public`` is the result of ``write_public`` for the same state, to share it among several viewers.
    """
    public = write_public(state) if public is None else public
    return {**public, "you": _write_viewer(state, viewer), **_write_game(state, viewer, public)}


def write_public(state: TableState) -> Json:
    """The view of a spectator without any rights, which is part of every view."""
    return {
        "table": state.table,
        "stage": state.stage.value,
        "terms": write_settings(state.settings),
        "commitment": state.commitment,
        "origin": None if state.origin is None else {"turn": state.origin.turn},
        "chairs": [
            {"chair": place, "seat": state.seat_of(place), **write_chair(chair)}
            for place, chair in enumerate(state.chairs)
        ],
        "waiting": list(state.waiting()),
        "since": state.since,
        "deadline": state.deadline,
        "vote_from": vote_from(state),
        "agreed": sorted(state.agreed),
        "taken_back": state.taken_back,
        "you": _write_viewer(state, SPECTATOR),
        "setup": _write_setup(state, None),
        "game": None if state.game is None else write_view(state.game.view(None)),
        "options": None,
        "ending": None if state.ending is None else _write_ending(state, state.ending),
        "rematch": state.rematch,
    }


def write_past(state: TableState, viewer: Viewer, turn: int) -> Json:
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
    own: Json = {} if seat is None else {**write_own_view(game.view(seat))}
    return {"turn": turn, "last": last, "game": {**write_view(game.view(None)), **own}}


def write_summary(state: TableState) -> Json:
    """A table in a list: a short public summary."""
    game = state.game
    return {
        "table": state.table,
        "stage": state.stage.value,
        "terms": write_settings(state.settings),
        "chairs": [
            {
                "sitter": chair.sitter.value,
                "name": chair.name,
                "player": chair.player or None,
                **({"away": True} if chair.away else {}),
            }
            for chair in state.chairs
        ],
        "round": None if game is None else game.round,
    }


def _write_viewer(state: TableState, viewer: Viewer) -> Json:
    chair = viewer.chair
    return {
        "chair": chair,
        "seat": None if chair is None else state.seat_of(chair),
        "owner": viewer.owner,
        "may": permitted(state, chair, viewer.owner),
    }


def _write_game(state: TableState, viewer: Viewer, public: Json) -> Json:
    """The viewer's private part of the game, with the options if it is their turn."""
    if viewer.chair is None:
        return {}
    seat = state.seat_of(viewer.chair)
    if state.game is None:
        return {"setup": _write_setup(state, seat)}
    view = state.game.view(seat)
    options = write_options(view.options()) if viewer.chair in state.waiting() else None
    return {"game": public["game"] | write_own_view(view), "options": options}


def _write_setup(state: TableState, seat: int | None) -> SetupViewJson | None:
    """The set-up; None once the hands are dealt."""
    if state.game is not None or state.setup is None:
        return None
    return write_setup_view(state.setup.view(seat))


def _write_ending(state: TableState, ending: Ending) -> Json:
    fair = None
    if ending.seed is not None:
        fair = {"seed": write_seed(ending.seed), "nonces": list(state.nonces)}
    return {"manner": ending.reason.value, "winners": list(ending.winners), "fair": fair}
