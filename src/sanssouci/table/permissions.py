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


def permitted(table_state: TableState, chair: int | None, owner: bool) -> list[str]:
    """The commands that would be carried out, from a chair or from none; a vote once it is time for it."""
    found = []
    if chair is not None and chair in table_state.persons:
        weary = _UNDOING if table_state.undo_limit_reached(chair) else frozenset()
        found = [kind for kind, may in _FROM_A_CHAIR.items() if kind not in weary and may(table_state, chair)]
    if owner:
        found += [kind for kind, may in _OF_THE_OWNER.items() if may(table_state) and kind not in found]
    return sorted(found)


def vote_from(table_state: TableState) -> float | None:
    """The moment from which on a stand-in may be voted for, if nobody acts until then."""
    if (
        table_state.stage not in _GOING_ON
        or table_state.settings.time_control.kind is not TimeControlKind.NONE
    ):
        return None
    return table_state.since + VOTE_DELAY if table_state.deciding & set(table_state.waiting()) else None


def _is_ready(table_state: TableState, chair: int) -> bool:
    return table_state.chairs[chair].is_ready


def _in_lobby(table_state: TableState) -> bool:
    return table_state.stage is Stage.LOBBY


def _goes_on(table_state: TableState, chair: int) -> bool:
    return table_state.stage in _GOING_ON and not table_state.chairs[chair].conceded


def _decides(table_state: TableState, chair: int) -> bool:
    return _goes_on(table_state, chair) and table_state.chairs[chair].decides


def _is_awaited(table_state: TableState, chair: int) -> bool:
    return _decides(table_state, chair) and chair in table_state.waiting()


def _may_return(table_state: TableState, chair: int) -> bool:
    return (
        _goes_on(table_state, chair) and table_state.chairs[chair].away and not table_state.owes_turn(chair)
    )


def _may_take_back(table_state: TableState, chair: int) -> bool:
    alone = table_state.persons == (chair,) and _decides(table_state, chair)
    return alone and table_state.stage is Stage.PLAYING and last_turn_of(table_state, chair) is not None


def _may_vote(table_state: TableState, chair: int) -> bool:
    """Whether there is somebody whom the others wait for, and this one has not voted yet or decides it."""
    if not _decides(table_state, chair) or vote_from(table_state) is None:
        return False
    return any(
        _counts(table_state, chair, place) for place in table_state.deciding & set(table_state.waiting())
    )


def _counts(table_state: TableState, chair: int, place: int) -> bool:
    votes, others = table_state.chairs[place].votes, table_state.deciding - {place}
    decisive = 2 * len(votes | {chair}) >= len(others)
    return place != chair and (decisive or chair not in votes)


def _may_abandon(table_state: TableState, chair: int) -> bool:
    """Who has agreed may say so again if that would end the game now."""
    ends = table_state.deciding <= table_state.agreed | {chair}
    return _goes_on(table_state, chair) and (ends or chair not in table_state.agreed)


def _may_rematch(table_state: TableState) -> bool:
    return table_state.stage is Stage.OVER and bool(table_state.order) and table_state.rematch is None


def _may_appoint(table_state: TableState) -> bool:
    return _in_lobby(table_state) and table_state.appointed < MAX_APPOINTED


def _may_dress(table_state: TableState) -> bool:
    """Whether the owner may give a computer player another colour."""
    return _may_appoint(table_state) and any(chair.sitter is Sitter.COMPUTER for chair in table_state.chairs)


def _may_close(table_state: TableState) -> bool:
    return table_state.stage is not Stage.OVER and (_in_lobby(table_state) or not table_state.persons)


_FROM_A_CHAIR: dict[str, Callable[[TableState, int], bool]] = {
    "ready": lambda table_state, chair: _in_lobby(table_state) and not _is_ready(table_state, chair),
    "unready": lambda table_state, chair: _in_lobby(table_state) and _is_ready(table_state, chair),
    "rise": lambda table_state, chair: _in_lobby(table_state),
    "wear": lambda table_state, chair: _in_lobby(table_state),
    "pick": lambda table_state, chair: table_state.stage is Stage.PICKING and _is_awaited(table_state, chair),
    "play": lambda table_state, chair: table_state.stage is Stage.PLAYING and _is_awaited(table_state, chair),
    "take_back": _may_take_back,
    "concede": _goes_on,
    "step_away": _decides,
    "return": _may_return,
    "vote": _may_vote,
    "abandon": _may_abandon,
    "rematch": lambda table_state, chair: _may_rematch(table_state),
}
_OF_THE_OWNER: dict[str, Callable[[TableState], bool]] = {
    "appoint": _may_appoint,
    "wear": _may_dress,
    "abandon": _may_close,
}
