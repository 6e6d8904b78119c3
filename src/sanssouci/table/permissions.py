"""What somebody may ask of a table now, by the types of commands: so that nobody has to try.

The commands themselves still judge; a test compares what is said here with what they answer.
"""

from collections.abc import Callable

from .absence import PATIENCE
from .chairs import Sitter
from .commands import UNDOING
from .play import last_turn_of
from .standing import MOST_APPOINTED, Stage, Standing
from .terms import Pace

_GOING_ON = (Stage.PICKING, Stage.PLAYING)
_UNDOING = frozenset(kind.type for kind in UNDOING)


def permitted(standing: Standing, chair: int | None, owner: bool) -> list[str]:
    """The commands that would be carried out, from a chair or from none; a vote once it is time for it."""
    found = []
    if chair is not None and chair in standing.persons:
        weary = _UNDOING if standing.is_weary(chair) else frozenset()
        found = [kind for kind, may in _FROM_A_CHAIR.items() if kind not in weary and may(standing, chair)]
    if owner:
        found += [kind for kind, may in _OF_THE_OWNER.items() if may(standing) and kind not in found]
    return sorted(found)


def vote_from(standing: Standing) -> float | None:
    """The moment from which on a stand-in may be voted for, if nobody acts until then."""
    if standing.stage not in _GOING_ON or standing.terms.clock.pace is not Pace.NONE:
        return None
    return standing.since + PATIENCE if standing.deciding & set(standing.waiting()) else None


def _is_ready(standing: Standing, chair: int) -> bool:
    return standing.chairs[chair].is_ready


def _in_lobby(standing: Standing) -> bool:
    return standing.stage is Stage.LOBBY


def _goes_on(standing: Standing, chair: int) -> bool:
    return standing.stage in _GOING_ON and not standing.chairs[chair].conceded


def _decides(standing: Standing, chair: int) -> bool:
    return _goes_on(standing, chair) and standing.chairs[chair].decides


def _is_awaited(standing: Standing, chair: int) -> bool:
    return _decides(standing, chair) and chair in standing.waiting()


def _may_return(standing: Standing, chair: int) -> bool:
    return _goes_on(standing, chair) and standing.chairs[chair].away and not standing.owes_turn(chair)


def _may_take_back(standing: Standing, chair: int) -> bool:
    alone = standing.persons == (chair,) and _decides(standing, chair)
    return alone and standing.stage is Stage.PLAYING and last_turn_of(standing, chair) is not None


def _may_vote(standing: Standing, chair: int) -> bool:
    """Whether there is somebody whom the others wait for, and this one has not voted yet or decides it."""
    if not _decides(standing, chair) or vote_from(standing) is None:
        return False
    return any(_counts(standing, chair, place) for place in standing.deciding & set(standing.waiting()))


def _counts(standing: Standing, chair: int, place: int) -> bool:
    votes, others = standing.chairs[place].votes, standing.deciding - {place}
    decisive = 2 * len(votes | {chair}) >= len(others)
    return place != chair and (decisive or chair not in votes)


def _may_abandon(standing: Standing, chair: int) -> bool:
    """Who has agreed may say so again if that would end the game now."""
    ends = standing.deciding <= standing.agreed | {chair}
    return _goes_on(standing, chair) and (ends or chair not in standing.agreed)


def _may_rematch(standing: Standing) -> bool:
    return standing.stage is Stage.OVER and bool(standing.order) and standing.rematch is None


def _may_appoint(standing: Standing) -> bool:
    return _in_lobby(standing) and standing.appointed < MOST_APPOINTED


def _may_dress(standing: Standing) -> bool:
    """Whether the owner may give a computer player another colour."""
    return _may_appoint(standing) and any(chair.sitter is Sitter.COMPUTER for chair in standing.chairs)


def _may_close(standing: Standing) -> bool:
    return standing.stage is not Stage.OVER and (_in_lobby(standing) or not standing.persons)


_FROM_A_CHAIR: dict[str, Callable[[Standing, int], bool]] = {
    "ready": lambda standing, chair: _in_lobby(standing) and not _is_ready(standing, chair),
    "unready": lambda standing, chair: _in_lobby(standing) and _is_ready(standing, chair),
    "rise": lambda standing, chair: _in_lobby(standing),
    "wear": lambda standing, chair: _in_lobby(standing),
    "pick": lambda standing, chair: standing.stage is Stage.PICKING and _is_awaited(standing, chair),
    "play": lambda standing, chair: standing.stage is Stage.PLAYING and _is_awaited(standing, chair),
    "take_back": _may_take_back,
    "concede": _goes_on,
    "step_away": _decides,
    "return": _may_return,
    "vote": _may_vote,
    "abandon": _may_abandon,
    "rematch": lambda standing, chair: _may_rematch(standing),
}
_OF_THE_OWNER: dict[str, Callable[[Standing], bool]] = {
    "appoint": _may_appoint,
    "wear": _may_dress,
    "abandon": _may_close,
}
