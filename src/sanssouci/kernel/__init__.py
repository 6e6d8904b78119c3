"""The rules compiled: whole games, batches, imagined games, millions of them.

The functions of ``rules`` are not written again here; Numba compiles them, and around them a state is one
flat array. Importing this room imports Numba and NumPy. The first call compiles, and what was compiled is
kept in the user's cache.
"""

from .batch import Batch, LegalTurns
from .box import Box
from .compiler import COMPILES
from .dealing import NO_BOARD
from .games import (
    BOARD_FIELD,
    GARDENER_FIELD,
    PART_FIELDS,
    RESULT_FIELDS,
    WINNERS_FIELD,
)
from .greedy import GREEDY, GUEST, LADY, PAGE, RANDOM, STEWARD, best_turn
from .judgement import best_turns
from .keys import game_keys
from .layout import SIZE, Ints, flatten, flatten_view, restore
from .masks import Masks, option_masks
from .perft import perft
from .rollouts import rollouts
from .search import CANDIDATES, search
from .series import POLICIES, Chunk, play_keys, play_series, policies
from .trial import Estimate, Prospect, weigh
from .turns import decode, encode
from .warmth import JOBS, is_warm, warm_up

__all__ = [
    "BOARD_FIELD",
    "CANDIDATES",
    "COMPILES",
    "GARDENER_FIELD",
    "GREEDY",
    "GUEST",
    "JOBS",
    "LADY",
    "NO_BOARD",
    "PAGE",
    "PART_FIELDS",
    "POLICIES",
    "RANDOM",
    "RESULT_FIELDS",
    "SIZE",
    "STEWARD",
    "WINNERS_FIELD",
    "Batch",
    "Box",
    "Chunk",
    "Estimate",
    "Ints",
    "LegalTurns",
    "Masks",
    "Prospect",
    "best_turn",
    "best_turns",
    "decode",
    "encode",
    "flatten",
    "flatten_view",
    "game_keys",
    "is_warm",
    "option_masks",
    "perft",
    "play_keys",
    "play_series",
    "policies",
    "restore",
    "rollouts",
    "search",
    "warm_up",
    "weigh",
]
