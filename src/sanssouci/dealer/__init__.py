"""All randomness of real games: seeds, streams, dealers, and proofs of a fair shuffle."""

from .bulk import BulkDealer, BulkGame, BulkStream
from .daily import daily_game, daily_seed
from .dealer import Dealer
from .fair import FairDealer, FairStream, commitment
from .preparation import DealtBoards, Picker, Preparation, prepare
from .proof import ProofError, prove
from .provenance import write_boards_dealt, write_bulk, write_fair
from .seeds import Seed, check_seed, derive_seed, new_seed, parse_seed, write_seed
from .stacked import StackedDealer
from .stream import Stream, shuffled

__all__ = [
    "BulkDealer",
    "BulkGame",
    "BulkStream",
    "Dealer",
    "DealtBoards",
    "FairDealer",
    "FairStream",
    "Picker",
    "Preparation",
    "ProofError",
    "Seed",
    "StackedDealer",
    "Stream",
    "check_seed",
    "commitment",
    "daily_game",
    "daily_seed",
    "derive_seed",
    "new_seed",
    "parse_seed",
    "prepare",
    "prove",
    "shuffled",
    "write_boards_dealt",
    "write_bulk",
    "write_fair",
    "write_seed",
]
