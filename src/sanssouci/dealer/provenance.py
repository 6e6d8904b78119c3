"""The fields of a record that say where its set-up came from: ``fair``, ``bulk`` and ``boards``."""

from typing import Annotated

from typing_extensions import TypedDict

from sanssouci.notation import RecordBoardsJson, RecordFairJson, within

from .bulk import SCHEME as BULK
from .fair import FairDealer
from .preparation import DealtBoards
from .seeds import Seed, write_seed


class BulkJson(TypedDict):
    """Which game of which seed a record holds."""

    scheme: str
    seed: str
    game: Annotated[int, within(range(1 << 64))]


def write_fair(dealer: FairDealer) -> RecordFairJson:
    """The proof of a fair deal; it reveals the seed, so it is written when the game is over."""
    written: RecordFairJson = {
        "scheme": dealer.scheme,
        "game": dealer.game,
        "commitment": dealer.commitment,
        "nonces": list(dealer.nonces),
        "seed": write_seed(dealer.seed),
    }
    if dealer.deal_commitment is not None:
        written["deal_commitment"] = dealer.deal_commitment
    return written


def write_bulk(seed: Seed, game: int) -> BulkJson:
    """Which game of which seed this is."""
    return {"scheme": BULK, "seed": write_seed(seed), "game": game}


def write_boards_dealt(dealt: DealtBoards) -> RecordBoardsJson:
    """Which set of boards was used, what was dealt from it, and which sides were picked (from 0)."""
    return {
        "name": dealt.boards.name,
        "sha256": dealt.boards.sha256,
        "dealt": _per_kind(dealt.gardens, dealt.rewards),
        "sides": _per_kind(dealt.garden_sides, dealt.reward_sides),
    }


def _per_kind(gardens: tuple[int, ...], rewards: tuple[int, ...]) -> dict[str, list[int]]:
    return {"gardens": list(gardens)} | ({"rewards": list(rewards)} if rewards else {})
