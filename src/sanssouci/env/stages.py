"""A turn as a sequence of stage actions (see ``spec``): the legal ones, and the turn they make."""

from typing import TypeAlias

from sanssouci.rules import LEAVES, Options, Turn, members

from .spec import BOAR, BOAR_LEAVES, CARD, NO_NOBLE, NOBLE, SPACE, SQUARE, Stage

Chosen: TypeAlias = tuple[int, ...]
"""The stage actions of an unfinished turn."""


def stage_after(options: Options, chosen: Chosen) -> Stage:
    """The stage to decide after these choices."""
    if len(chosen) < Stage.BOAR:
        return Stage(len(chosen))
    disturbed = options.garden.boar >> (chosen[Stage.SQUARE] - SQUARE) & 1
    return Stage.BOAR if disturbed and len(chosen) == Stage.BOAR else Stage.NOBLE


def legal_actions(options: Options, chosen: Chosen) -> tuple[int, ...]:
    """The legal actions after these choices, in ascending order."""
    stage = stage_after(options, chosen)
    if stage is Stage.CARD:
        return tuple(CARD + card for card in members(options.cards))
    if stage is Stage.SPACE:
        return tuple(SPACE + space for space in members(options.spaces(chosen[0] - CARD)))
    space = chosen[Stage.SPACE] - SPACE
    if stage is Stage.SQUARE:
        return tuple(SQUARE + square for square in members(options.squares(space)))
    square = chosen[Stage.SQUARE] - SQUARE
    if stage is Stage.BOAR:
        goals = options.boar(square)
        return tuple(BOAR_LEAVES if goal == LEAVES or goal is None else BOAR + goal for goal in goals)
    stops = members(options.stops(square, options.gardener(space)))
    return (*(NOBLE + stop for stop in stops), NO_NOBLE)


def turn_of(options: Options, actions: Chosen) -> Turn | None:
    """The turn that these actions make; None if the noble is still to be decided."""
    if not actions or actions[-1] < NOBLE:
        return None
    card, space, square = actions[0] - CARD, actions[1] - SPACE, actions[2] - SQUARE
    boar = None
    if len(actions) > Stage.NOBLE:
        boar = LEAVES if actions[3] == BOAR_LEAVES else actions[3] - BOAR
    noble = None if actions[-1] == NO_NOBLE else actions[-1] - NOBLE
    return Turn(card, space, square, options.gardener(space), boar, noble)


def actions_of(turn: Turn) -> Chosen:
    """The stage actions that make a turn."""
    boar: Chosen = ()
    if turn.boar is not None:
        boar = (BOAR_LEAVES if turn.boar == LEAVES else BOAR + turn.boar,)
    noble = NO_NOBLE if turn.noble is None else NOBLE + turn.noble
    return (CARD + turn.card, SPACE + turn.space, SQUARE + turn.square, *boar, noble)
