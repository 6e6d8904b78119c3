"""The game itself: turns are played, and taken back where only one person plays."""

from dataclasses import replace

from sanssouci.notation import parse_card, parse_column, parse_turn
from sanssouci.rules import Chance, Code, Refusal, Refused, State, Turn

from .chance import Source
from .commands import Play, TakeBack
from .declined import Declined, No
from .endings import end_if_played
from .request import Request
from .standing import Stage, Standing


def play(standing: Standing, request: Request[Play], source: Source) -> Standing:
    """A seat plays a turn, chance answers; after the last turn the game is over."""
    standing.require(Stage.PLAYING)
    state = _game(standing)
    if not request.caller.house:
        standing.require_deciding(request.chair)
    if standing.order[state.to_move] != request.chair:
        raise Refused(Refusal.of(Code.NOT_YOUR_TURN))
    turn = parse_turn(request.command.turn)
    after = state.play(turn, _chance(standing, source))
    return end_if_played(_moved_on(standing, turn, after, request.at), source)


def take_back(standing: Standing, request: Request[TakeBack], source: Source) -> Standing:
    """The only person at the table takes back the last own turn, and what was played after it."""
    standing.require(Stage.PLAYING)
    if len(standing.persons) != 1:
        raise Declined(No.NOT_ALONE)
    standing.require_deciding(request.chair)
    last = last_turn_of(standing, request.chair)
    if last is None:
        raise Declined(No.NOTHING_TO_TAKE_BACK)
    return replace(
        standing,
        states=standing.states[: last + 1],
        turns=standing.turns[:last],
        taken_back=standing.taken_back + 1,
        since=request.at,
    )


def last_turn_of(standing: Standing, chair: int) -> int | None:
    """The number of the last turn that a chair has played at this table, from 0."""
    seat, seats = standing.seat_of(chair), len(standing.order)
    played = [turn for turn in range(standing.begun, len(standing.turns)) if turn % seats == seat]
    return played[-1] if played else None


def _game(standing: Standing) -> State:
    assert standing.state is not None, "it is there when the game is played"
    return standing.state


def _chance(standing: Standing, source: Source) -> Chance:
    refill, draw = source.answer("refill", standing), source.answer("draw", standing)
    return Chance(
        None if refill is None else parse_column(refill),
        None if draw is None else parse_card(draw),
    )


def _moved_on(standing: Standing, turn: Turn, after: State, at: float) -> Standing:
    """The game goes on: nobody is kept waiting any more, and nobody wants to abandon it."""
    return replace(
        standing,
        states=(*standing.states, after),
        turns=(*standing.turns, turn),
        chairs=tuple(replace(chair, late=False, votes=frozenset()) for chair in standing.chairs),
        agreed=frozenset(),
        since=at,
    )
