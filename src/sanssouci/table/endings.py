"""How a game ends: played out, conceded or abandoned; and the rematch afterwards."""

from collections.abc import Collection
from dataclasses import replace

from sanssouci.dealer import Seed, commitment, parse_seed
from sanssouci.locale import UserError
from sanssouci.rules import State, winners

from .chairs import Chair, new_chair
from .chance import Source
from .command_context import CommandContext, chair_missing
from .commands import Abandon, Concede, Rematch
from .rejection import Reason, RejectReason
from .settings import TableSettings
from .table_state import Ending, EndReason, Offer, OfferKind, Stage, TableState


def end_if_played(state: TableState, source: Source) -> TableState:
    """End the game after the last turn: determine the winners and reveal the seed."""
    if state.game is None or not state.game.over:
        return state
    return _ended(state, EndReason.PLAYED, _best(state, state.game), source)


def concede_refusal(state: TableState, context: CommandContext[Concede]) -> Reason | None:
    return RejectReason.HAS_CONCEDED if state.chairs[context.chair].conceded else None


def concede(state: TableState, context: CommandContext[Concede], source: Source) -> TableState:
    """Give up. While others play on, a computer plays for the seat, and cannot win.

    Once only computers or a single seat are left, the game ends, and the leaders among them win.
    """
    chair = replace(state.chairs[context.chair], conceded=True, away=False, votes=frozenset())
    after = replace(state.with_chair(context.chair, chair), pause=state.pause - {context.chair})
    if after.offer is not None and after.offer.chair == context.chair:
        after = replace(after, offer=None)
    left = contenders(after)
    people = [seat for seat in left if after.chairs[after.order[seat]].is_person]
    if people and len(left) > 1:
        return after
    return _ended(after, EndReason.CONCEDED, left if after.game is None else _best(after, after.game), source)


def abandon_refusal(state: TableState, context: CommandContext[Abandon]) -> Reason | None:
    chair = context.caller.chair
    if _owner_closes(state, context):
        return None
    if chair not in state.persons or state.stage is Stage.LOBBY:
        return chair_missing(context.caller)
    if state.chairs[chair].conceded:
        return RejectReason.HAS_CONCEDED
    if state.offer is None:  # it makes an offer: not the one that was just declined
        repeated = (chair, "abandon") in state.declined and state.deciding != {chair}
        return RejectReason.OFFER_DECLINED if repeated else None
    if state.offer.what != "abandon":
        return RejectReason.OFFER_OPEN
    # To agree again ends the game if everyone who had not agreed has left since.
    again = chair in state.agreed and not state.deciding <= state.agreed
    return RejectReason.AGREED_ALREADY if again else None


def abandon(state: TableState, context: CommandContext[Abandon], source: Source) -> TableState:
    """Agree to end the game without a result; it ends once everyone who decides has agreed.

    The owner alone may end a table that has not started or has no people.
    """
    if _owner_closes(state, context):
        return end_abandoned(state, source)
    if state.offer is None:
        state = with_offer(state, "abandon", context.chair, lapses_with_any_turn=True)
    state, carried = with_agreement(state, context.chair)
    return end_abandoned(state, source) if carried else state


def end_abandoned(state: TableState, source: Source) -> TableState:
    return _ended(state, EndReason.ABANDONED, (), source)


def with_offer(
    state: TableState, what: OfferKind, chair: int, *, lapses_with_any_turn: bool = False
) -> TableState:
    number = state.offers + 1
    offer = Offer(number, what, chair, frozenset({chair}), lapses_with_any_turn)
    return replace(state, offer=offer, offers=number)


def with_agreement(state: TableState, chair: int) -> tuple[TableState, bool]:
    """The state once a chair has agreed to the open offer, and whether everyone who decides has agreed."""
    assert state.offer is not None, "the refusal has checked it"
    offer = replace(state.offer, agreed=state.offer.agreed | {chair})
    return replace(state, offer=offer), state.deciding <= offer.agreed


def rematch_refusal(state: TableState, context: CommandContext[Rematch]) -> Reason | None:
    if not state.order:
        return RejectReason.NEVER_STARTED
    return None if state.rematch is None else RejectReason.REMATCH_MADE


def rematch(state: TableState, context: CommandContext[Rematch], source: Source) -> TableState:
    return replace(state, rematch=context.command.table)


def rematch_of(state: TableState, gone: Collection[int] = ()) -> tuple[TableSettings, tuple[Chair, ...]]:
    """The settings and chairs of a rematch: the next in turn order starts (R8), chairs and colours stay.

    The chairs in ``gone`` are open.
    """
    chairs = tuple(
        Chair() if place in gone else new_chair(chair.sitter, chair.name, chair.player, chair.colour)
        for place, chair in enumerate(state.chairs)
    )
    settings = state.settings
    return (settings.passed_on(state.order[1]) if state.order else settings), chairs


def contenders(state: TableState) -> tuple[int, ...]:
    """The seats that have not conceded, and so can win."""
    return tuple(seat for seat, chair in enumerate(state.order) if not state.chairs[chair].conceded)


def _owner_closes(state: TableState, context: CommandContext[Abandon]) -> bool:
    return context.caller.owner and (state.stage is Stage.LOBBY or not state.persons)


def _best(state: TableState, game: State) -> tuple[int, ...]:
    """R28: the winners at the current scores, among the seats that have not conceded."""
    left = contenders(state)
    best = winners(
        tuple(game.scores[seat].total for seat in left),
        tuple(game.gardens[seat].gardeners.bit_count() for seat in left),
    )
    return tuple(left[place] for place in best)


def _ended(state: TableState, reason: EndReason, won: tuple[int, ...], source: Source) -> TableState:
    return replace(state, ending=Ending(reason, won, _revealed_seed(state, source)))


def _revealed_seed(state: TableState, source: Source) -> Seed | None:
    """The seed to reveal, if anything was dealt from it; ``UserError`` unless it fits the commitment."""
    if not state.order or state.origin is not None:
        return None
    seed = parse_seed(source.answer("seed", state))
    if commitment(seed, state.deal_name, state.scheme) != state.commitment:
        raise UserError("table.not_from_seed")
    return seed
