"""The rules compiled by Numba: whole games, batches of games, and simulated games, by the million.

The functions of ``rules`` are compiled, not rewritten; here a state is one flat array of integers. Importing
this package imports Numba and NumPy. The first call compiles, and the result stays in the user's cache.
"""

from .batch import Batch, LegalTurns
from .compiler import COMPILES
from .dealing import NO_BOARD
from .game_setup import GameSetup
from .games import (
    BOARD_FIELD,
    GARDENER_FIELD,
    PART_FIELDS,
    RESULT_FIELDS,
    WINNERS_FIELD,
)
from .greedy import GREEDY, LEVEL_1, LEVEL_2, LEVEL_3, RANDOM, STEWARD, best_turn
from .keys import game_keys
from .layout import SIZE, Ints, flatten, flatten_view, restore
from .masks import Masks, option_masks
from .perft import perft
from .precompilation import COMPILE_UNITS, is_compiled, precompile
from .rollouts import rollouts
from .search import CANDIDATES, search
from .series import POLICIES, Chunk, chunk_bounds, play_chunk, play_keys, play_series, policies
from .static_eval import best_turns
from .trial import SampleMean, TurnEstimate, evaluate_turns
from .turns import decode, encode

__all__ = [
    "BOARD_FIELD",
    "CANDIDATES",
    "COMPILES",
    "COMPILE_UNITS",
    "GARDENER_FIELD",
    "GREEDY",
    "LEVEL_1",
    "LEVEL_2",
    "LEVEL_3",
    "NO_BOARD",
    "PART_FIELDS",
    "POLICIES",
    "RANDOM",
    "RESULT_FIELDS",
    "SIZE",
    "STEWARD",
    "WINNERS_FIELD",
    "Batch",
    "Chunk",
    "GameSetup",
    "Ints",
    "LegalTurns",
    "Masks",
    "SampleMean",
    "TurnEstimate",
    "best_turn",
    "best_turns",
    "chunk_bounds",
    "decode",
    "encode",
    "evaluate_turns",
    "flatten",
    "flatten_view",
    "game_keys",
    "is_compiled",
    "option_masks",
    "perft",
    "play_chunk",
    "play_keys",
    "play_series",
    "policies",
    "precompile",
    "restore",
    "rollouts",
    "search",
]
