"""A table as one viewer may see it: on a chair, or watching. The only gate by which a table is shown.

Everything is named here; what is hidden comes only through ``State.view`` and ``Setup.view``.
"""

from dataclasses import dataclass
from typing import Any

from sanssouci.dealer import write_seed
from sanssouci.notation import write_options, write_own_view, write_setup_view, write_view

from .chairs import write_chair
from .permissions import permitted, vote_from
from .rejection import CommandRejected, RejectReason
from .settings import write_settings
from .table_state import Ending, TableState

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: from a chair, or from none; whoever owns the table may arrange it."""

    chair: int | None = None
    owner: bool = False


SPECTATOR = Viewer()


def write_table(table_state: TableState, viewer: Viewer, public: Json | None = None) -> Json:
    """All that a viewer may know of a table.

    To write it for several viewers costs less with ``public``, which is what ``write_public`` has made of the
    same standing.
    """
    public = write_public(table_state) if public is None else public
    return {**public, "you": _write_viewer(table_state, viewer), **_write_game(table_state, viewer, public)}


def write_public(table_state: TableState) -> Json:
    """All that a spectator may know of a table, and so everyone."""
    return {
        "table": table_state.table,
        "stage": table_state.stage.value,
        "terms": write_settings(table_state.settings),
        "commitment": table_state.commitment,
        "origin": None if table_state.origin is None else {"turn": table_state.origin.turn},
        "chairs": [
            {"chair": place, "seat": table_state.seat_of(place), **write_chair(chair)}
            for place, chair in enumerate(table_state.chairs)
        ],
        "waiting": list(table_state.waiting()),
        "since": table_state.since,
        "deadline": table_state.deadline,
        "vote_from": vote_from(table_state),
        "agreed": sorted(table_state.agreed),
        "taken_back": table_state.taken_back,
        "you": _write_viewer(table_state, SPECTATOR),
        "setup": _write_setup(table_state, None),
        "game": None if table_state.state is None else write_view(table_state.state.view(None)),
        "options": None,
        "ending": None if table_state.ending is None else _write_ending(table_state, table_state.ending),
        "rematch": table_state.rematch,
    }


def write_past(table_state: TableState, viewer: Viewer, turn: int) -> Json:
    """The game after so many of its turns, as the viewer could see it then; without options: it is over.

    ``CommandRejected`` if it has not come so far. Turns that were taken back are not there any more.
    """
    last = len(table_state.states) - 1
    if last < 0:
        raise CommandRejected(RejectReason.NOT_PLAYING)
    if turn not in range(last + 1):
        raise CommandRejected(RejectReason.NO_SUCH_TURN, last=last)
    state = table_state.states[turn]
    seat = None if viewer.chair is None else table_state.seat_of(viewer.chair)
    own = {} if seat is None else write_own_view(state.view(seat))
    return {"turn": turn, "last": last, "game": write_view(state.view(None)) | own}


def write_summary(table_state: TableState) -> Json:
    """A table in a list: what anyone may know, in short."""
    state = table_state.state
    return {
        "table": table_state.table,
        "stage": table_state.stage.value,
        "terms": write_settings(table_state.settings),
        "chairs": [
            {
                "sitter": chair.sitter.value,
                "name": chair.name,
                "player": chair.player or None,
                **({"away": True} if chair.away else {}),
            }
            for chair in table_state.chairs
        ],
        "round": None if state is None else state.round,
    }


def _write_viewer(table_state: TableState, viewer: Viewer) -> Json:
    chair = viewer.chair
    return {
        "chair": chair,
        "seat": None if chair is None else table_state.seat_of(chair),
        "owner": viewer.owner,
        "may": permitted(table_state, chair, viewer.owner),
    }


def _write_game(table_state: TableState, viewer: Viewer, public: Json) -> Json:
    """What one sees of the game from one's chair; with the options if it is one's turn."""
    if viewer.chair is None:
        return {}
    seat = table_state.seat_of(viewer.chair)
    if table_state.state is None:
        return {"setup": _write_setup(table_state, seat)}
    view = table_state.state.view(seat)
    options = write_options(view.options()) if viewer.chair in table_state.waiting() else None
    return {"game": public["game"] | write_own_view(view), "options": options}


def _write_setup(table_state: TableState, seat: int | None) -> Json | None:
    """The set-up, until the hands are dealt."""
    if table_state.state is not None or table_state.setup is None:
        return None
    return write_setup_view(table_state.setup.view(seat))


def _write_ending(table_state: TableState, ending: Ending) -> Json:
    """How it ended, and what proves the shuffle."""
    fair = None
    if ending.seed is not None:
        fair = {"seed": write_seed(ending.seed), "nonces": list(table_state.nonces)}
    return {"manner": ending.reason.value, "winners": list(ending.winners), "fair": fair}
