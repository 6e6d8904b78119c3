"""Proves that a record's set-up, boards included, was drawn from its seed."""

from collections.abc import Mapping, Sequence
from typing import Any

from sanssouci.editions import SHIPPED, BoardSet, shipped_boards
from sanssouci.locale import UserError
from sanssouci.notation import FieldError, Record, RecordBoardsJson, RecordFairJson, read_typed
from sanssouci.rules import Deal, Phase, SetupView

from .bulk import SCHEME as BULK
from .bulk import BulkGame
from .dealer import Dealer
from .fair import FAIR_1, FAIR_3, SCHEMES, DealTerms, FairDealer, deal_terms
from .preparation import DealtBoards, prepare
from .provenance import BulkJson, write_boards_dealt
from .seeds import parse_seed


class ProofError(UserError):
    """The set-up cannot be proved to come from the seed."""


def prove(record: Record, boards: Sequence[BoardSet] = ()) -> None:
    """Deal the game again from its seed and compare, or ``ProofError``.

    Boards are looked for by their hash among the shipped sets and those given.
    """
    dealer = _dealer(record)
    claimed = _claimed_boards(record)
    board_set = _board_set(claimed["sha256"], boards)
    if board_set.deck != record.deal.variant.deck:
        raise ProofError("proof.differs", what="setup.decks")
    dealt, dealt_boards = _deal_again(record, dealer, board_set, claimed["sides"])
    _compare(record.deal, dealt, claimed, dealt_boards)
    _compare_start(record, dealer)


def check_commitment(record: Record, shown: str) -> None:
    """``ProofError`` unless a proved record has the commitment that was shown before the game.

    That is the commitment to the seed or, except under ``fair/1``, the one to the whole deal. Both are
    computed again, because a record of another scheme may claim anything.
    """
    if record.fair is None:
        raise ProofError("proof.no_commitment")
    dealer = _fair_dealer(record, record.fair)
    known = [dealer.commitment, *([] if dealer.deal_commitment is None else [dealer.deal_commitment])]
    if shown.lower() not in known:
        raise ProofError("proof.other_commitment", recorded=", ".join(known), shown=shown)


def _dealer(record: Record) -> Dealer:
    bulk = record.extra.get("bulk")
    if record.fair is not None:
        return _fair_dealer(record, record.fair)
    if isinstance(bulk, Mapping) and bulk.get("scheme") == BULK:
        return _bulk_dealer(bulk)
    raise ProofError("proof.no_seed")


def _fair_dealer(record: Record, fair: RecordFairJson) -> FairDealer:
    scheme = next((known for known in SCHEMES if known == fair["scheme"]), None)
    if scheme is None:
        raise ProofError("proof.unknown_scheme", scheme=fair["scheme"], known=", ".join(SCHEMES))
    terms = _terms(record) if scheme == FAIR_3 else None
    dealer = FairDealer(bytes.fromhex(fair["seed"]), fair["game"], tuple(fair["nonces"]), scheme, terms)
    if dealer.commitment != fair["commitment"].lower():
        raise ProofError("proof.commitment")
    if (
        dealer.deal_commitment is not None
        and dealer.deal_commitment != fair.get("deal_commitment", "").lower()
    ):
        raise ProofError("proof.deal_commitment")
    return dealer


def _terms(record: Record) -> DealTerms:
    if record.boards is None:
        raise ProofError("proof.no_boards")
    first = _chosen_chair(record) if _start(record) == "chosen" else None
    return deal_terms(record.deal.variant, record.boards["sha256"].lower(), first)


def _bulk_dealer(bulk: Mapping[str, Any]) -> Dealer:
    try:
        fields = read_typed(BulkJson, bulk)
        return BulkGame(parse_seed(fields["seed"]), fields["game"]).dealer()
    except UserError:
        raise ProofError("proof.bad_bulk") from None


def _claimed_boards(record: Record) -> RecordBoardsJson:
    """The record's ``boards``, if ``dealt`` and ``sides`` have the shape that this project writes."""
    boards = record.boards
    if boards is None:
        raise ProofError("proof.no_boards")
    kinds = {"gardens", "rewards"} if record.deal.variant.rewards else {"gardens"}
    for name in ("dealt", "sides"):
        try:
            table = read_typed(dict[str, list[int]], dict(boards)[name])
        except FieldError:
            raise ProofError("proof.bad_boards", name=name) from None
        if set(table) != kinds or any(len(row) != record.deal.variant.seats for row in table.values()):
            raise ProofError("proof.bad_boards", name=name)
    return boards


def _board_set(sha256: str, given: Sequence[BoardSet]) -> BoardSet:
    for boards in (*given, *map(shipped_boards, SHIPPED)):
        if boards.sha256 == sha256.lower():
            return boards
    raise ProofError("proof.unknown_boards", sha256=sha256)


def _deal_again(
    record: Record, dealer: Dealer, boards: BoardSet, sides: Mapping[str, list[int]]
) -> tuple[Deal, DealtBoards]:
    def pick(seat: int, view: SetupView) -> int:
        kind = "gardens" if view.phase is Phase.GARDEN_SIDES else "rewards"
        side = sides[kind][seat]
        if side not in view.sides():
            raise ProofError("proof.differs", what="boards.sides")
        return side

    return prepare(record.deal.variant, boards, dealer, pick)


def _compare(recorded: Deal, dealt: Deal, claimed: RecordBoardsJson, dealt_boards: DealtBoards) -> None:
    again = write_boards_dealt(dealt_boards)
    names = {"printed": "gardens", "marks": "rewards"}
    if claimed["dealt"] != again["dealt"]:
        raise ProofError("proof.differs", what="boards.dealt")
    if claimed["sides"] != again["sides"]:
        raise ProofError("proof.differs", what="boards.sides")
    for name in ("printed", "marks", "missions", "decks", "tiles"):
        if getattr(recorded, name) != getattr(dealt, name):
            raise ProofError("proof.differs", what=f"setup.{names.get(name, name)}")


def start_is_unproved(record: Record, shown: str) -> bool:
    """Whether the players agreed who begins, and the commitment that was shown does not cover that.

    Only the commitment to the deal of ``fair/3`` does.
    """
    fair = record.fair
    covered = fair is not None and fair["scheme"] == FAIR_3 and shown.lower() != fair["commitment"].lower()
    return _start(record) == "chosen" and not covered


def _start(record: Record) -> object:
    table = record.extra.get("table")
    return table.get("start") if isinstance(table, Mapping) else None


def _chosen_chair(record: Record) -> int:
    chair = record.seats[0].get("chair")
    if type(chair) is not int:
        raise ProofError("proof.differs", what="seats.chair")
    return chair


def _compare_start(record: Record, dealer: Dealer) -> None:
    """R8: seats follow the chairs in order from the chair that was drawn or, under ``fair/3``, chosen."""
    start, scheme = _start(record), FAIR_1 if record.fair is None else record.fair["scheme"]
    if scheme != FAIR_1 and start not in ("drawn", "chosen"):
        raise ProofError("proof.differs", what="start")
    seats = len(record.seats)
    if start == "drawn":
        first = dealer.first_seat(seats)
    elif scheme == FAIR_3:
        first = _chosen_chair(record)
    else:
        return
    for place, seat in enumerate(record.seats):
        chair = seat.get("chair")
        if type(chair) is not int or chair != (first + place) % seats:
            raise ProofError("proof.differs", what="seats.chair")
