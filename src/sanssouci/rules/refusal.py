"""Refusals as values: a code, the rule behind it, and arguments.

Only the outer layers (command line, server, browser) turn one into a sentence in the reader's language.
"""

from dataclasses import dataclass
from enum import Enum


class RefusalCode(Enum):
    """The closed list of refusals, each with its rule, in the order in which they are checked."""

    def __init__(self, text: str, rule: int) -> None:
        self.text = text
        self.rule = rule

    # a turn
    GAME_OVER = "game_over", 1
    NOT_YOUR_TURN = "not_your_turn", 1
    CARD_NOT_IN_HAND = "card_not_in_hand", 14
    SPACE_OF_OTHER_ROW = "space_of_other_row", 15
    SPACE_OF_OTHER_MOTIF = "space_of_other_motif", 16
    NO_TILE_THERE = "no_tile_there", 17
    NOT_ITS_OWN_SQUARE = "not_its_own_square", 18
    GARDENER_BY_CHOICE = "gardener_by_choice", 19
    OWN_SQUARE_BUILT = "own_square_built", 19
    GARDENER_ON_BUILT_SQUARE = "gardener_on_built_square", 19
    GARDENER_OUT_OF_LINE = "gardener_out_of_line", 19
    NO_BOAR = "no_boar", 34
    BOAR_NOT_DISTURBED = "boar_not_disturbed", 35
    BOAR_MUST_MOVE = "boar_must_move", 35
    BOAR_OUT_OF_REACH = "boar_out_of_reach", 35
    BOAR_MUST_LEAVE = "boar_must_leave", 36
    BOAR_MAY_NOT_LEAVE = "boar_may_not_leave", 36
    NOBLE_ON_FREE_SQUARE = "noble_on_free_square", 20
    NOBLE_ON_GARDENER = "noble_on_gardener", 20
    NOBLE_NOT_LOWER = "noble_not_lower", 20
    NOBLE_NOT_CONNECTED = "noble_not_connected", 20

    # chance's answers
    REFILL_NOT_IN_POUCH = "refill_not_in_pouch", 22
    CARD_NOT_IN_PILE = "card_not_in_pile", 23

    # a set-up
    WRONG_SEATS = "wrong_seats", 1
    NO_SUCH_SEAT = "no_such_seat", 1
    WRONG_GARDENS = "wrong_gardens", 2
    WRONG_PRINTED_SQUARES = "wrong_printed_squares", 2
    WRONG_TILE_COUNT = "wrong_tile_count", 3
    WRONG_TILES = "wrong_tiles", 3
    WRONG_DECKS = "wrong_decks", 4
    WRONG_DECK = "wrong_deck", 4
    WRONG_MISSIONS = "wrong_missions", 5
    WRONG_REWARD_BOARDS = "wrong_reward_boards", 29
    WRONG_REWARD_SIDE = "wrong_reward_side", 29
    BOAR_SQUARE_PRINTED = "boar_square_printed", 34
    BOAR_NOT_IN_EDITION = "boar_not_in_edition", 34

    # the choices before the game
    NO_SUCH_GARDEN_SIDE = "no_such_garden_side", 9
    GARDEN_SIDE_PICKED = "garden_side_picked", 9
    NOTHING_TO_PICK = "nothing_to_pick", 12
    REWARD_SIDE_PICKED = "reward_side_picked", 12
    NO_SUCH_REWARD_SIDE = "no_such_reward_side", 29

    # what lies on a real table
    ROW_1_NOT_BUILT = "row_1_not_built", 2
    GARDENER_IN_ROW_1 = "gardener_in_row_1", 2
    GARDENER_NOT_BUILT = "gardener_not_built", 19
    TOO_FEW_BUILT = "too_few_built", 2
    TOO_MANY_BUILT = "too_many_built", 1
    TOO_MANY_GARDENERS = "too_many_gardeners", 19
    TWO_NOBLES_IN_COLUMN = "two_nobles_in_column", 6
    TOO_MANY_NOBLES_MOVED = "too_many_nobles_moved", 14
    BOAR_ON_BUILT_SQUARE = "boar_on_built_square", 35
    BOAR_STILL_AT_START = "boar_still_at_start", 35
    BOAR_CANNOT_BE_THERE = "boar_cannot_be_there", 35
    BOAR_CANNOT_HAVE_LEFT = "boar_cannot_have_left", 36
    TRACK_TOO_LOW = "track_too_low", 21
    TRACK_TOO_HIGH = "track_too_high", 21
    WRONG_NOBLE_POINTS = "wrong_noble_points", 21
    WRONG_REWARD_POINTS = "wrong_reward_points", 30
    WRONG_BOAR_POINTS = "wrong_boar_points", 35


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why something is not allowed, with its rule and arguments."""

    code: RefusalCode
    args: tuple[tuple[str, int], ...] = ()

    @classmethod
    def of(cls, code: RefusalCode, **args: int) -> "Refusal":
        """A refusal with its arguments by name."""
        return cls(code, tuple(args.items()))

    @property
    def rule(self) -> str:
        """The rule's number as it is cited: ``R20``."""
        return f"R{self.code.rule}"


class Refused(ValueError):
    """Raised when something illegal is attempted; carries the refusal."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal

    def __str__(self) -> str:
        return f"{self.refusal.rule}: {self.refusal.code.text} {dict(self.refusal.args)}"
