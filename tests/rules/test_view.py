"""Views contain no hidden information: R11, R12, R24."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from sanssouci.dealer import Stream, shuffled
from sanssouci.notation import parse_turn
from sanssouci.rules import NO_CARDS, Options, State, Turn, View, members, set_of

from ..helpers import VARIANTS, odd_deal, random_states, stream

PAIRS = 2_000
ViewFunction = Callable[[State, int | None], View]
TURNS = [parse_turn(text) for text in ("a@0-a2", "36@2-g3/g3", "*@4-e4~d4", "*@9-i6g~x/i6", "24@0-b2/b1")]


def twin(state: State, viewer: int | None, chance: Stream) -> State:
    """A state that differs only in information hidden from the viewer: others' hands and missions."""
    hands, piles, missions = list(state.hands), list(state.piles), list(state.missions)
    known = set(missions[viewer]) if viewer is not None else set()
    free = iter(shuffled([mission for mission in range(9) if mission not in known], chance))
    for seat in range(state.variant.seats):
        if seat == viewer:
            continue
        cards = shuffled(members(hands[seat] | piles[seat]), chance)
        size = hands[seat].bit_count()
        hands[seat], piles[seat] = set_of(cards[:size]), set_of(cards[size:])
        missions[seat] = (next(free), next(free))
    return replace(state, hands=tuple(hands), piles=tuple(piles), missions=tuple(missions))


def pairs() -> Iterator[tuple[State, State, int | None]]:
    """Pairs of states in every variant and phase, with a viewer to whom they must look the same."""
    chance = stream(11)
    each = -(-PAIRS // len(VARIANTS))
    for variant in VARIANTS:
        states = random_states(odd_deal(variant, chance), chance)[:-1]
        viewers = (*range(variant.seats), None)
        for number in range(each):
            state = states[chance.below(len(states))]
            viewer = viewers[number % len(viewers)]
            yield state, twin(state, viewer, chance), viewer


def leaks(view_of: ViewFunction) -> int:
    """The number of pairs that differ in view, options or refusals."""
    found = 0
    for one, two, viewer in pairs():
        left, right = view_of(one, viewer), view_of(two, viewer)
        turns = [*TURNS, *list(one.options())[:3]]
        found += left != right or observable(left.options(), turns) != observable(right.options(), turns)
    return found


def observable(options: Options, turns: list[Turn]) -> object:
    """Everything observable from options: the tables, and the refusals of some turns."""
    return options.tables(), [options.refusal(turn) for turn in turns]


def test_hidden_information_does_not_change_views() -> None:
    """R11, R12: 2,000 pairs give equal views, options and refusals for every seat and a spectator."""
    assert leaks(State.view) == 0
    found = list(pairs())
    assert len(found) >= PAIRS and sum(one != two for one, two, _ in found) > PAIRS * 0.9
    assert {(*one.variant.expansions, one.variant.seats) for one, _, _ in found} == {
        (*variant.expansions, variant.seats) for variant in VARIANTS
    }


def last_mission(state: State, seat: int | None) -> View:
    """A view that shows the missions of the last of four seats."""
    clean = state.view(seat)
    last = state.missions[3:] or clean.missions[3:]
    return replace(clean, missions=(*clean.missions[:3], *last))


LEAKY_VIEWS: dict[str, Callable[[State, int | None], View]] = {
    "the hand of the seat to move": lambda state, seat: replace(
        state.view(seat), hand=state.hands[state.to_move]
    ),
    "all missions before the end": lambda state, seat: replace(state.view(seat), missions=state.missions),
    "the missions of the last seat": last_mission,
    "unplayed cards without the hand": lambda state, seat: replace(state.view(seat), unplayed=state.piles),
}


@pytest.mark.parametrize("leak", LEAKY_VIEWS)
def test_a_leaky_view_is_caught(leak: str) -> None:
    """R11, R12, R24: a view that shows hands, missions or piles is found."""
    assert leaks(LEAKY_VIEWS[leak]) > 0


def test_leaky_options_are_caught() -> None:
    """R11: a clean view whose options come from the state is found."""

    class Leaky(View):
        def options(self) -> Options:
            return self.origin.options()  # type: ignore[attr-defined, no-any-return]

    def view_of(state: State, seat: int | None) -> View:
        clean = state.view(seat)
        leaky = Leaky(**{name: getattr(clean, name) for name in View.__slots__})
        object.__setattr__(leaky, "origin", state)
        return leaky

    assert leaks(view_of) > 0


def test_a_view_is_an_allow_list() -> None:
    """R11, R12, R24: a new field of a view needs a decision, and a line here."""
    assert View.__slots__ == (
        *("variant", "seat", "turn", "gardens", "scores", "display", "pouch"),
        *("unplayed", "hand", "missions"),
    )
    state = random_states(odd_deal(VARIANTS[0], stream(3)), stream(4))[7]
    assert state.view(None).hand == NO_CARDS
    assert state.view(state.to_move).options() == state.options()
    assert Turn(0, 0, 9) not in state.view(1 - state.to_move).options()
