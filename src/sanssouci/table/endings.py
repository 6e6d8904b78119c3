"""How a table ends: played to the end, conceded, abandoned; and the rematch after it."""

from collections.abc import Collection
from dataclasses import replace

from sanssouci.dealer import Seed, commitment, parse_seed
from sanssouci.locale import UserError
from sanssouci.rules import State, winners

from .chairs import Chair, new_chair
from .chance import Source
from .command_context import CommandContext, no_chair
from .commands import Abandon, Concede, Rematch
from .rejection import CommandRejected, RejectReason
from .settings import TableSettings
from .table_state import Ending, EndReason, Stage, TableState


def end_if_played(table_state: TableState, source: Source) -> TableState:
    """After the last turn the seed is shown and the winners are known."""
    if table_state.state is None or not table_state.state.over:
        return table_state
    return _ended(table_state, EndReason.PLAYED, _best(table_state, table_state.state), source)


def concede(table_state: TableState, context: CommandContext[Concede], source: Source) -> TableState:
    """A person gives up. While others play on a computer plays for the seat, and cannot win.

    If only computers are left the game ends, and those of them have won who lead now.
    """
    table_state.require(Stage.PLAYING, Stage.PICKING)
    chair = table_state.chairs[context.chair]
    if chair.conceded:
        raise CommandRejected(RejectReason.HAS_CONCEDED)
    after = table_state.with_chair(
        context.chair, replace(chair, conceded=True, away=False, votes=frozenset())
    )
    left = contenders(after)
    people = [seat for seat in left if after.chairs[after.order[seat]].is_person]
    if people and len(left) > 1:
        return after
    return _ended(
        after, EndReason.CONCEDED, left if after.state is None else _best(after, after.state), source
    )


def abandon(table_state: TableState, context: CommandContext[Abandon], source: Source) -> TableState:
    """A person wants to end the game without a result; when all who play want it, it ends so.

    Who has agreed may ask again: those who did not may have left since. The owner may end a table that has
    not started or has no people.
    """
    if table_state.stage is Stage.OVER:
        raise CommandRejected(RejectReason.OVER)
    if _closes(table_state, context):
        return _ended(table_state, EndReason.ABANDONED, (), source)
    if context.caller.chair not in table_state.persons or table_state.stage is Stage.LOBBY:
        raise no_chair(context.caller)
    if table_state.chairs[context.chair].conceded:
        raise CommandRejected(RejectReason.HAS_CONCEDED)
    agreed = table_state.agreed | {context.chair}
    if table_state.deciding <= agreed:
        return _ended(replace(table_state, agreed=agreed), EndReason.ABANDONED, (), source)
    if context.chair in table_state.agreed:
        raise CommandRejected(RejectReason.AGREED_ALREADY)
    return replace(table_state, agreed=agreed)


def rematch(table_state: TableState, context: CommandContext[Rematch], source: Source) -> TableState:
    """The same people play again at another table."""
    table_state.require(Stage.OVER)
    if not table_state.order:
        raise CommandRejected(RejectReason.NEVER_STARTED)
    if table_state.rematch is not None:
        raise CommandRejected(RejectReason.REMATCH_MADE)
    return replace(table_state, rematch=context.command.table)


def rematch_of(
    table_state: TableState, gone: Collection[int] = ()
) -> tuple[TableSettings, tuple[Chair, ...]]:
    """The settings and chairs of a rematch: all keep their places, and the next in turn order starts (R8).

    Colours stay too. The chairs of those who are gone are open.
    """
    chairs = tuple(
        Chair() if place in gone else new_chair(chair.sitter, chair.name, chair.player, chair.colour)
        for place, chair in enumerate(table_state.chairs)
    )
    settings = table_state.settings
    return (settings.passed_on(table_state.order[1]) if table_state.order else settings), chairs


def contenders(table_state: TableState) -> tuple[int, ...]:
    """The seats that can still win."""
    return tuple(
        seat for seat, chair in enumerate(table_state.order) if not table_state.chairs[chair].conceded
    )


def _closes(table_state: TableState, context: CommandContext[Abandon]) -> bool:
    return context.caller.owner and (table_state.stage is Stage.LOBBY or not table_state.persons)


def _best(table_state: TableState, state: State) -> tuple[int, ...]:
    """R28, as the game stands, among those who have not conceded."""
    left = contenders(table_state)
    best = winners(
        tuple(state.scores[seat].total for seat in left),
        tuple(state.gardens[seat].gardeners.bit_count() for seat in left),
    )
    return tuple(left[place] for place in best)


def _ended(table_state: TableState, manner: EndReason, won: tuple[int, ...], source: Source) -> TableState:
    return replace(table_state, ending=Ending(manner, won, _shown_seed(table_state, source)))


def _shown_seed(table_state: TableState, source: Source) -> Seed | None:
    """The seed is shown if anything was dealt from it; it must be the one that was committed to."""
    if not table_state.order or table_state.origin is not None:
        return None
    seed = parse_seed(source.answer("seed", table_state))
    if commitment(seed, table_state.game) != table_state.commitment:
        raise UserError("table.not_from_seed")
    return seed
