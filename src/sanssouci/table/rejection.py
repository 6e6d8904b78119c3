"""Why a table rejects a command: a closed list of reasons, in addition to the refusals of the rules.

::

    UserError
    └── CommandRejected   the table's reason, with details for its message
    Refused (rules)       a rule's refusal, with the rule's number
"""

from enum import Enum

from sanssouci.locale import UserError
from sanssouci.rules import Refusal


class RejectReason(Enum):
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
    COMMITMENT_NEEDED = "commitment_needed"
    SHUFFLING = "shuffling"
    NOT_SHUFFLING = "not_shuffling"
    REVEALED_ALREADY = "revealed_already"
    OTHER_NONCE = "other_nonce"
    SHUFFLED_TOO_OFTEN = "shuffled_too_often"
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
    NO_OFFER = "no_offer"
    OFFER_OPEN = "offer_open"
    OFFER_DECLINED = "offer_declined"
    NOBODY_TO_ASK = "nobody_to_ask"
    # afterwards
    REMATCH_MADE = "rematch_made"
    NEVER_STARTED = "never_started"
    NO_RECORD = "no_record"
    NOT_YET = "not_yet"
    # looking back
    NO_SUCH_TURN = "no_such_turn"


Reason = RejectReason | Refusal
"""What a command's refusal function returns unless the command can be executed."""


class CommandRejected(UserError):
    def __init__(self, reason: RejectReason, **details: object) -> None:
        super().__init__(f"declined.{reason.value}", **details)
        self.reason = reason
