"""What somebody may ask of a table now, by the types of commands: so that nobody has to try.

The commands themselves still judge; a test compares what is said here with what they answer.
"""

from collections.abc import Callable

from .chairs import Sitter
from .commands import UNDO_COMMANDS
from .play import last_turn_of
from .settings import TimeControlKind
from .stand_ins import VOTE_DELAY
from .table_state import MAX_APPOINTED, Stage, TableState

_GOING_ON = (Stage.PICKING, Stage.PLAYING)
_UNDOING = frozenset(kind.type for kind in UNDO_COMMANDS)


def permitted(state: TableState, chair: int | None, owner: bool) -> list[str]:
    """The commands that would be carried out, from a chair or from none; a vote once it is time for it."""
    found = []
    if chair is not None and chair in state.persons:
        weary = _UNDOING if state.undo_limit_reached(chair) else frozenset()
        found = [kind for kind, may in _FROM_A_CHAIR.items() if kind not in weary and may(state, chair)]
    if owner:
        found += [kind for kind, may in _OF_THE_OWNER.items() if may(state) and kind not in found]
    return sorted(found)


def vote_from(state: TableState) -> float | None:
    """The moment from which on a stand-in may be voted for, if nobody acts until then."""
    if state.stage not in _GOING_ON or state.settings.time_control.kind is not TimeControlKind.NONE:
        return None
    return state.since + VOTE_DELAY if state.deciding & set(state.waiting()) else None


def _is_ready(state: TableState, chair: int) -> bool:
    return state.chairs[chair].is_ready


def _in_lobby(state: TableState) -> bool:
    return state.stage is Stage.LOBBY


def _goes_on(state: TableState, chair: int) -> bool:
    return state.stage in _GOING_ON and not state.chairs[chair].conceded


def _decides(state: TableState, chair: int) -> bool:
    return _goes_on(state, chair) and state.chairs[chair].decides


def _is_awaited(state: TableState, chair: int) -> bool:
    return _decides(state, chair) and chair in state.waiting()


def _may_return(state: TableState, chair: int) -> bool:
    return _goes_on(state, chair) and state.chairs[chair].away and not state.owes_turn(chair)


def _may_take_back(state: TableState, chair: int) -> bool:
    alone = state.persons == (chair,) and _decides(state, chair)
    return alone and state.stage is Stage.PLAYING and last_turn_of(state, chair) is not None


def _may_vote(state: TableState, chair: int) -> bool:
    """Whether there is somebody whom the others wait for, and this one has not voted yet or decides it."""
    if not _decides(state, chair) or vote_from(state) is None:
        return False
    return any(_counts(state, chair, place) for place in state.deciding & set(state.waiting()))


def _counts(state: TableState, chair: int, place: int) -> bool:
    votes, others = state.chairs[place].votes, state.deciding - {place}
    decisive = 2 * len(votes | {chair}) >= len(others)
    return place != chair and (decisive or chair not in votes)


def _may_abandon(state: TableState, chair: int) -> bool:
    """Who has agreed may say so again if that would end the game now."""
    ends = state.deciding <= state.agreed | {chair}
    return _goes_on(state, chair) and (ends or chair not in state.agreed)


def _may_rematch(state: TableState) -> bool:
    return state.stage is Stage.OVER and bool(state.order) and state.rematch is None


def _may_appoint(state: TableState) -> bool:
    return _in_lobby(state) and state.appointed < MAX_APPOINTED


def _may_dress(state: TableState) -> bool:
    """Whether the owner may give a computer player another colour."""
    return _may_appoint(state) and any(chair.sitter is Sitter.COMPUTER for chair in state.chairs)


def _may_close(state: TableState) -> bool:
    return state.stage is not Stage.OVER and (_in_lobby(state) or not state.persons)


_FROM_A_CHAIR: dict[str, Callable[[TableState, int], bool]] = {
    "ready": lambda state, chair: _in_lobby(state) and not _is_ready(state, chair),
    "unready": lambda state, chair: _in_lobby(state) and _is_ready(state, chair),
    "rise": lambda state, chair: _in_lobby(state),
    "wear": lambda state, chair: _in_lobby(state),
    "pick": lambda state, chair: state.stage is Stage.PICKING and _is_awaited(state, chair),
    "play": lambda state, chair: state.stage is Stage.PLAYING and _is_awaited(state, chair),
    "take_back": _may_take_back,
    "concede": _goes_on,
    "step_away": _decides,
    "return": _may_return,
    "vote": _may_vote,
    "abandon": _may_abandon,
    "rematch": lambda state, chair: _may_rematch(state),
}
_OF_THE_OWNER: dict[str, Callable[[TableState], bool]] = {
    "appoint": _may_appoint,
    "wear": _may_dress,
    "abandon": _may_close,
}
