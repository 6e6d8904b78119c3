"""A table as one viewer may see it: on a chair, or watching. The only gate by which a table is shown.

Everything is named here; what is hidden comes only through ``State.view`` and ``Setup.view``.
"""

from dataclasses import dataclass
from typing import Any

from sanssouci.dealer import write_seed
from sanssouci.notation import write_options, write_own_view, write_setup_view, write_view

from .chairs import write_chair
from .declined import Declined, No
from .permissions import permitted, vote_from
from .standing import Ending, Standing
from .terms import write_terms

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: from a chair, or from none; whoever owns the table may arrange it."""

    chair: int | None = None
    owner: bool = False


SPECTATOR = Viewer()


def write_table(standing: Standing, viewer: Viewer, public: Json | None = None) -> Json:
    """All that a viewer may know of a table.

    To write it for several viewers costs less with ``public``, which is what ``write_public`` has made of the
    same standing.
    """
    public = write_public(standing) if public is None else public
    return {**public, "you": _write_viewer(standing, viewer), **_write_game(standing, viewer, public)}


def write_public(standing: Standing) -> Json:
    """All that a spectator may know of a table, and so everyone."""
    return {
        "table": standing.table,
        "stage": standing.stage.value,
        "terms": write_terms(standing.terms),
        "commitment": standing.commitment,
        "origin": None if standing.origin is None else {"turn": standing.origin.turn},
        "chairs": [
            {"chair": place, "seat": standing.seat_of(place), **write_chair(chair)}
            for place, chair in enumerate(standing.chairs)
        ],
        "waiting": list(standing.waiting()),
        "since": standing.since,
        "deadline": standing.deadline,
        "vote_from": vote_from(standing),
        "agreed": sorted(standing.agreed),
        "taken_back": standing.taken_back,
        "you": _write_viewer(standing, SPECTATOR),
        "setup": _write_setup(standing, None),
        "game": None if standing.state is None else write_view(standing.state.view(None)),
        "options": None,
        "ending": None if standing.ending is None else _write_ending(standing, standing.ending),
        "rematch": standing.rematch,
    }


def write_past(standing: Standing, viewer: Viewer, turn: int) -> Json:
    """The game after so many of its turns, as the viewer could see it then; without options: it is over.

    ``Declined`` if it has not come so far. Turns that were taken back are not there any more.
    """
    last = len(standing.states) - 1
    if last < 0:
        raise Declined(No.NOT_PLAYING)
    if turn not in range(last + 1):
        raise Declined(No.NO_SUCH_TURN, last=last)
    state = standing.states[turn]
    seat = None if viewer.chair is None else standing.seat_of(viewer.chair)
    own = {} if seat is None else write_own_view(state.view(seat))
    return {"turn": turn, "last": last, "game": write_view(state.view(None)) | own}


def write_summary(standing: Standing) -> Json:
    """A table in a list: what anyone may know, in short."""
    state = standing.state
    return {
        "table": standing.table,
        "stage": standing.stage.value,
        "terms": write_terms(standing.terms),
        "chairs": [
            {
                "sitter": chair.sitter.value,
                "name": chair.name,
                "player": chair.player or None,
                **({"away": True} if chair.away else {}),
            }
            for chair in standing.chairs
        ],
        "round": None if state is None else state.round,
    }


def _write_viewer(standing: Standing, viewer: Viewer) -> Json:
    chair = viewer.chair
    return {
        "chair": chair,
        "seat": None if chair is None else standing.seat_of(chair),
        "owner": viewer.owner,
        "may": permitted(standing, chair, viewer.owner),
    }


def _write_game(standing: Standing, viewer: Viewer, public: Json) -> Json:
    """What one sees of the game from one's chair; with the options if it is one's turn."""
    if viewer.chair is None:
        return {}
    seat = standing.seat_of(viewer.chair)
    if standing.state is None:
        return {"setup": _write_setup(standing, seat)}
    view = standing.state.view(seat)
    options = write_options(view.options()) if viewer.chair in standing.waiting() else None
    return {"game": public["game"] | write_own_view(view), "options": options}


def _write_setup(standing: Standing, seat: int | None) -> Json | None:
    """The set-up, until the hands are dealt."""
    if standing.state is not None or standing.setup is None:
        return None
    return write_setup_view(standing.setup.view(seat))


def _write_ending(standing: Standing, ending: Ending) -> Json:
    """How it ended, and what proves the shuffle."""
    fair = None
    if ending.seed is not None:
        fair = {"seed": write_seed(ending.seed), "nonces": list(standing.nonces)}
    return {"manner": ending.manner.value, "winners": list(ending.winners), "fair": fair}
