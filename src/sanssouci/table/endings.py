"""How a table ends: played to the end, conceded, abandoned; and the rematch after it."""

from collections.abc import Collection
from dataclasses import replace

from sanssouci.dealer import Seed, commitment, parse_seed
from sanssouci.locale import UserError
from sanssouci.rules import State, winners

from .chairs import Chair, new_chair
from .chance import Source
from .commands import Abandon, Concede, Rematch
from .declined import Declined, No
from .request import Request, no_chair
from .standing import Ending, Manner, Stage, Standing
from .terms import Terms


def end_if_played(standing: Standing, source: Source) -> Standing:
    """After the last turn the seed is shown and the winners are known."""
    if standing.state is None or not standing.state.over:
        return standing
    return _ended(standing, Manner.PLAYED, _best(standing, standing.state), source)


def concede(standing: Standing, request: Request[Concede], source: Source) -> Standing:
    """A person gives up. While others play on a computer plays for the seat, and cannot win.

    If only computers are left the game ends, and those of them have won who lead now.
    """
    standing.require(Stage.PLAYING, Stage.PICKING)
    chair = standing.chairs[request.chair]
    if chair.conceded:
        raise Declined(No.HAS_CONCEDED)
    after = standing.with_chair(request.chair, replace(chair, conceded=True, away=False, votes=frozenset()))
    left = contenders(after)
    people = [seat for seat in left if after.chairs[after.order[seat]].is_person]
    if people and len(left) > 1:
        return after
    return _ended(after, Manner.CONCEDED, left if after.state is None else _best(after, after.state), source)


def abandon(standing: Standing, request: Request[Abandon], source: Source) -> Standing:
    """A person wants to end the game without a result; when all who play want it, it ends so.

    Who has agreed may ask again: those who did not may have left since. The owner may end a table that has
    not started or has no people.
    """
    if standing.stage is Stage.OVER:
        raise Declined(No.OVER)
    if _closes(standing, request):
        return _ended(standing, Manner.ABANDONED, (), source)
    if request.caller.chair not in standing.persons or standing.stage is Stage.LOBBY:
        raise no_chair(request.caller)
    if standing.chairs[request.chair].conceded:
        raise Declined(No.HAS_CONCEDED)
    agreed = standing.agreed | {request.chair}
    if standing.deciding <= agreed:
        return _ended(replace(standing, agreed=agreed), Manner.ABANDONED, (), source)
    if request.chair in standing.agreed:
        raise Declined(No.AGREED_ALREADY)
    return replace(standing, agreed=agreed)


def rematch(standing: Standing, request: Request[Rematch], source: Source) -> Standing:
    """The same people play again at another table."""
    standing.require(Stage.OVER)
    if not standing.order:
        raise Declined(No.NEVER_STARTED)
    if standing.rematch is not None:
        raise Declined(No.REMATCH_MADE)
    return replace(standing, rematch=request.command.table)


def rematch_of(standing: Standing, gone: Collection[int] = ()) -> tuple[Terms, tuple[Chair, ...]]:
    """The terms and chairs of a rematch: all keep their places, and the next in turn order starts (R8).

    Colours stay too. The chairs of those who are gone are open.
    """
    chairs = tuple(
        Chair() if place in gone else new_chair(chair.sitter, chair.name, chair.player, chair.colour)
        for place, chair in enumerate(standing.chairs)
    )
    return (standing.terms.passed_on(standing.order[1]) if standing.order else standing.terms), chairs


def contenders(standing: Standing) -> tuple[int, ...]:
    """The seats that can still win."""
    return tuple(seat for seat, chair in enumerate(standing.order) if not standing.chairs[chair].conceded)


def _closes(standing: Standing, request: Request[Abandon]) -> bool:
    return request.caller.owner and (standing.stage is Stage.LOBBY or not standing.persons)


def _best(standing: Standing, state: State) -> tuple[int, ...]:
    """R28, as the game stands, among those who have not conceded."""
    left = contenders(standing)
    best = winners(
        tuple(state.scores[seat].total for seat in left),
        tuple(state.gardens[seat].gardeners.bit_count() for seat in left),
    )
    return tuple(left[place] for place in best)


def _ended(standing: Standing, manner: Manner, won: tuple[int, ...], source: Source) -> Standing:
    return replace(standing, ending=Ending(manner, won, _shown_seed(standing, source)))


def _shown_seed(standing: Standing, source: Source) -> Seed | None:
    """The seed is shown if anything was dealt from it; it must be the one that was committed to."""
    if not standing.order or standing.origin is not None:
        return None
    seed = parse_seed(source.answer("seed", standing))
    if commitment(seed, standing.game) != standing.commitment:
        raise UserError("table.not_from_seed")
    return seed
