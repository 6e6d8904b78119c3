"""A table as one viewer may see it: on a chair, or watching. The only gate by which a table is shown.

Everything is named here; what is hidden comes only through ``State.view`` and ``Setup.view``.
"""

from dataclasses import dataclass
from typing import Any

from sanssouci.dealer import write_seed
from sanssouci.notation import write_options, write_setup_view, write_view

from .chairs import write_chair
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


def write_table(standing: Standing, viewer: Viewer) -> Json:
    """All that a viewer may know of a table."""
    return {
        "table": standing.table,
        "stage": standing.stage.value,
        "terms": write_terms(standing.terms),
        "commitment": standing.commitment,
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
        "you": _write_viewer(standing, viewer),
        **_write_game(standing, viewer),
        "ending": None if standing.ending is None else _write_ending(standing, standing.ending),
        "rematch": standing.rematch,
    }


def write_summary(standing: Standing) -> Json:
    """A table in a list: what anyone may know, in short."""
    state = standing.state
    return {
        "table": standing.table,
        "stage": standing.stage.value,
        "terms": write_terms(standing.terms),
        "chairs": [
            {"sitter": chair.sitter.value, "name": chair.name, "player": chair.player or None}
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


def _write_game(standing: Standing, viewer: Viewer) -> Json:
    """The set-up until the hands are dealt, then the game; with the own options if it is one's turn."""
    seat = None if viewer.chair is None else standing.seat_of(viewer.chair)
    setup, game, options = None, None, None
    if standing.state is not None:
        view = standing.state.view(seat)
        game = write_view(view)
        options = write_options(view.options()) if viewer.chair in standing.waiting() else None
    elif standing.setup is not None:
        setup = write_setup_view(standing.setup.view(seat))
    return {"setup": setup, "game": game, "options": options}


def _write_ending(standing: Standing, ending: Ending) -> Json:
    """How it ended, and what proves the shuffle."""
    fair = None
    if ending.seed is not None:
        fair = {"seed": write_seed(ending.seed), "nonces": list(standing.nonces)}
    return {"manner": ending.manner.value, "winners": list(ending.winners), "fair": fair}
