"""The value network: its inputs, inference in integers, its file, and the search that uses it.

It judges an afterstate in every variant: the seat's own points still to come, those of the best other seat,
and the chance of winning. ``docs/learning.md`` describes how it is trained.
"""

from .forecast import compare_turns
from .inference import (
    BUCKETS,
    OUTPUTS,
    SCALE,
    UNIT,
    Layers,
    Scratch,
    judge_turns,
    judge_words,
    no_fits,
    scratch_for,
)
from .inputs import BITS, MOST_WORDS, fill_inputs, mirror_inputs, words_of
from .network_file import (
    Network,
    NetworkError,
    network_faults,
    network_name,
    read_network,
    shipped_network,
    usable_network,
    write_network,
)
from .precompilation import COMPILE_UNIT
from .search import CANDIDATES, JudgedTurn, judged_turns, network_search

__all__ = [
    "BITS",
    "BUCKETS",
    "CANDIDATES",
    "COMPILE_UNIT",
    "MOST_WORDS",
    "OUTPUTS",
    "SCALE",
    "UNIT",
    "JudgedTurn",
    "Layers",
    "Network",
    "NetworkError",
    "Scratch",
    "compare_turns",
    "fill_inputs",
    "judge_turns",
    "judge_words",
    "judged_turns",
    "mirror_inputs",
    "network_faults",
    "network_name",
    "network_search",
    "no_fits",
    "read_network",
    "scratch_for",
    "shipped_network",
    "usable_network",
    "words_of",
    "write_network",
]
