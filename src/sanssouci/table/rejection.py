"""Every no of a table that is not a no of the rules: a code from a closed list, and arguments.

::

    UserError
    └── Declined          the table says no; ``no`` is one of a closed list
    Refused (rules)       the rules say no, with their number
"""

from enum import Enum

from sanssouci.locale import UserError


class RejectReason(Enum):
    """Why a table declines a command."""

    # who
    NOT_ALLOWED = "not_allowed"
    NAME_CHAIR = "name_chair"
    # when
    STALE = "stale"
    AHEAD = "ahead"
    COMMAND_REUSED = "command_reused"
    UNDONE_TOO_OFTEN = "undone_too_often"
    NOT_IN_LOBBY = "not_in_lobby"
    NOT_PICKING = "not_picking"
    NOT_PLAYING = "not_playing"
    NOT_OVER = "not_over"
    OVER = "over"
    # the lobby
    NO_SUCH_CHAIR = "no_such_chair"
    CHAIR_TAKEN = "chair_taken"
    COLOUR_TAKEN = "colour_taken"
    COLOUR_WORN = "colour_worn"
    READY_ALREADY = "ready_already"
    NOT_READY = "not_ready"
    BAD_NONCE = "bad_nonce"
    # the game
    NOT_AWAITED = "not_awaited"
    STAND_IN_PLAYS = "stand_in_plays"
    NO_STAND_IN = "no_stand_in"
    STAND_IN_FIRST = "stand_in_first"
    HAS_CONCEDED = "has_conceded"
    NOT_ALONE = "not_alone"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    OWN_CHAIR = "own_chair"
    NO_PERSON_THERE = "no_person_there"
    NOT_ABSENT = "not_absent"
    TIME_LEFT = "time_left"
    VOTED_ALREADY = "voted_already"
    AGREED_ALREADY = "agreed_already"
    # afterwards
    REMATCH_MADE = "rematch_made"
    NEVER_STARTED = "never_started"
    NO_RECORD = "no_record"
    NOT_YET = "not_yet"
    # looking back
    NO_SUCH_TURN = "no_such_turn"


class CommandRejected(UserError):
    """A table's no."""

    def __init__(self, reason: RejectReason, **details: object) -> None:
        super().__init__(f"declined.{reason.value}", **details)
        self.reason = reason
