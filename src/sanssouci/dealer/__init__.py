"""All randomness of real games: seeds, streams, dealers, and proofs of a fair shuffle."""

from .bulk import BulkDealer, BulkGame, BulkStream
from .daily import daily_game, daily_seed
from .dealer import Dealer
from .fair import (
    FAIR_1,
    FAIR_2,
    FAIR_3,
    SCHEMES,
    DealTerms,
    FairDealer,
    FairStream,
    Scheme,
    commitment,
    deal_commitment,
    deal_terms,
    nonce_commitment,
)
from .preparation import DealtBoards, Picker, Preparation, prepare
from .proof import ProofError, check_commitment, prove, start_is_unproved
from .provenance import write_boards_dealt, write_bulk, write_fair
from .seeds import Seed, check_seed, derive_seed, new_seed, parse_seed, write_seed
from .stacked import StackedDealer
from .stream import Stream, shuffled

__all__ = [
    "FAIR_1",
    "FAIR_2",
    "FAIR_3",
    "SCHEMES",
    "BulkDealer",
    "BulkGame",
    "BulkStream",
    "DealTerms",
    "Dealer",
    "DealtBoards",
    "FairDealer",
    "FairStream",
    "Picker",
    "Preparation",
    "ProofError",
    "Scheme",
    "Seed",
    "StackedDealer",
    "Stream",
    "check_commitment",
    "check_seed",
    "commitment",
    "daily_game",
    "daily_seed",
    "deal_commitment",
    "deal_terms",
    "derive_seed",
    "new_seed",
    "nonce_commitment",
    "parse_seed",
    "prepare",
    "prove",
    "shuffled",
    "start_is_unproved",
    "write_boards_dealt",
    "write_bulk",
    "write_fair",
    "write_seed",
]
