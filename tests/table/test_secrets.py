"""Nothing hidden is told: tables that differ only in hidden things look the same to all who may not know."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from sanssouci.notation import write_setup_view, write_view
from sanssouci.rules import Variant
from sanssouci.table import (
    SPECTATOR,
    Chair,
    CommandRejected,
    Croupier,
    Event,
    Pick,
    Play,
    Ready,
    RejectReason,
    TableState,
    Viewer,
    chairs,
    execution,
    public_events,
    table,
    views,
    write_table,
)

from .host import SEED, Host, nonce_of
from .twins import PAIRS, Leak, Pair, tell_apart

Patch = pytest.MonkeyPatch


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_nobody_can_tell_the_twins_apart(pair: Pair) -> None:
    """R11, R12: views, tellings, refusals and reprs are the same, from the lobby until it comes to light."""
    assert tell_apart(pair) > 15


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_the_twins_are_not_the_same(pair: Pair) -> None:
    """Who may know the difference sees it, or the house does: else the test above would prove nothing."""
    if pair.knows:
        with pytest.raises(Leak):
            tell_apart(replace(pair, knows=frozenset()))
    else:
        assert held(pair.one()) != held(pair.other()) or pair.nonces[0] != pair.nonces[1]


def held(croupier: Croupier) -> tuple[object, ...]:
    """What only the house knows."""
    dealer = croupier.dealer(("",) * 3)
    return dealer.tiles(Variant(3)), dealer.shuffled("missions", tuple(range(9))), croupier._seed


def leak_nonce(patch: Patch) -> None:
    """A chair is shown with its nonce."""
    write = chairs.write_chair
    patch.setattr(views, "write_chair", lambda chair: write(chair) | {"nonce": chair.nonce})


def leak_hand(patch: Patch) -> None:
    """Everyone gets the view of the seat to move."""

    def write_game(state: TableState, viewer: Viewer, public: dict[str, Any]) -> dict[str, Any]:
        game = state.game
        return {} if game is None else {"game": write_view(game.view(game.to_move))}

    patch.setattr(views, "_write_game", write_game)


def leak_draw(patch: Patch) -> None:
    """Everyone is told which card was drawn."""
    tell = public_events.public_event

    def tell_all(before: TableState | None, event: Event, after: TableState) -> public_events.PublicEvent:
        told = tell(before, event, after)
        return replace(told, public=told.public | (told.own or {}))

    patch.setattr(table, "public_event", tell_all)


def leak_pick(patch: Patch) -> None:
    """Everyone is told which side was picked."""
    arguments = public_events._arguments
    patch.setattr(
        public_events,
        "_arguments",
        lambda event: {"side": event.command.side} if isinstance(event.command, Pick) else arguments(event),
    )


def leak_picks(patch: Patch) -> None:
    """The sides are shown before all have picked."""

    def write_game(state: TableState, viewer: Viewer, public: dict[str, Any]) -> dict[str, Any]:
        setup = state.setup
        if setup is None or state.game is not None:
            return {}
        view = replace(setup.view(None), garden_sides=setup.garden_sides, reward_sides=setup.reward_sides)
        return {"setup": write_setup_view(view)}

    patch.setattr(views, "_write_game", write_game)


def leak_missions(patch: Patch) -> None:
    """All missions are shown while the game is played."""

    def write_game(state: TableState, viewer: Viewer, public: dict[str, Any]) -> dict[str, Any]:
        return {"missions": None if state.setup is None else state.setup.missions}

    patch.setattr(views, "_write_game", write_game)


def leak_count(patch: Patch) -> None:
    """A number that depends on a hand: how many turns the seat to move can choose from."""
    write_viewer = views._write_viewer
    patch.setattr(
        views,
        "_write_viewer",
        lambda state, viewer: (
            write_viewer(state, viewer)
            | {"choices": 0 if state.game is None else len(list(state.game.options()))}
        ),
    )


def leak_refusal(patch: Patch) -> None:
    """A no that quotes what the seat to move holds."""
    run = execution.execute

    def chatty(state: TableState, context: Any, source: Any) -> TableState:
        if isinstance(context.command, Play) and state.game is not None:
            hand = state.game.hands[state.game.to_move]
            if context.command.turn == "a@0":
                raise CommandRejected(RejectReason.NOT_AWAITED, hand=hand)
        return run(state, context, source)

    patch.setattr(table, "execute", chatty)


def leak_pouch(patch: Patch) -> None:
    """The house says which tile will come next: that is in no state, so it must ask the croupier."""
    run = execution.execute

    def chatty(state: TableState, context: Any, source: Any) -> TableState:
        if isinstance(context.command, Play) and state.game is not None:
            tile = source.answer("refill", state)
            if context.command.turn == "a@0":
                raise CommandRejected(RejectReason.NOT_AWAITED, tile=tile)
        return run(state, context, source)

    patch.setattr(table, "execute", chatty)


def leak_seed(patch: Patch) -> None:
    """A no that quotes the seed."""
    run = execution.execute

    def chatty(state: TableState, context: Any, source: Any) -> TableState:
        if isinstance(context.command, Pick) and context.command.side == 9:
            raise CommandRejected(RejectReason.NOT_PICKING, seed=source.answer("seed", state))
        return run(state, context, source)

    patch.setattr(table, "execute", chatty)


def leak_repr(patch: Patch) -> None:
    """An event whose repr, as a log would quote it, holds what chance answered."""
    patch.setattr(Event, "__repr__", lambda event: f"Event({event.answers})")


def leak_own_repr(patch: Patch) -> None:
    """A command whose repr holds the nonce."""
    patch.setattr(Ready, "__repr__", lambda ready: f"Ready({ready.nonce})")


def leak_summary(patch: Patch) -> None:
    """A list of tables that says who has the best hand."""
    patch.setattr(
        "tests.table.twins.write_summary",
        lambda state: 0 if state.game is None else state.game.hands.index(max(state.game.hands)),
    )


LEAKS: dict[Callable[[Patch], None], str] = {
    leak_nonce: "nonces",
    leak_hand: "deck/1 1 2",
    leak_draw: "deck/0 3 17",
    leak_pick: "garden side",
    leak_picks: "reward side",
    leak_missions: "missions of seat 1",
    leak_count: "deck/2 0 5",
    leak_refusal: "deck/1 16 17",
    leak_pouch: "order of the pouch",
    leak_seed: "seed",
    leak_repr: "missions of two seats",
    leak_own_repr: "nonces",
    leak_summary: "deck/0 0 5",
}
"""Each leak, and a pair that it tells apart."""


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_caught(leak: Callable[[Patch], None], monkeypatch: Patch) -> None:
    """Whatever is let out, a pair of twins can be told apart by it."""
    leak(monkeypatch)
    with pytest.raises(Leak):
        tell_apart(next(pair for pair in PAIRS if pair.name == LEAKS[leak]))


def test_the_own_hand_and_draw_are_told_to_their_owner_only() -> None:
    """R11: others are told that a card was drawn, by the turn itself."""
    host = Host.of(2, first=0).start().pick()
    hands = [write_table(host.state, viewer)["game"]["hand"] for viewer in (Viewer(0), Viewer(1), SPECTATOR)]
    assert len(hands[0]) == len(hands[1]) == 2 and hands[2] == []
    host.play(1)
    told = host.table.public_events(host.table.seq - 1)[0]
    assert "draw" in told.to(0) and told.to(0)["draw"] in write_table(host.state, Viewer(0))["game"]["hand"]
    assert "draw" not in told.to(1) and "draw" not in told.to(None)


def test_options_are_only_for_who_is_to_move() -> None:
    """And for nobody when the game is over."""
    host = Host.of(2, first=0).start().pick()

    def has_options() -> list[bool]:
        viewers = (Viewer(0), Viewer(1), SPECTATOR, Viewer(owner=True))
        return [write_table(host.state, viewer)["options"] is not None for viewer in viewers]

    assert has_options() == [True, False, False, False]
    host.play()
    assert has_options() == [False, True, False, False]
    host.end()
    assert has_options() == [False] * 4


def test_no_repr_holds_a_secret() -> None:
    """What reaches a log by mistake is no hand, no nonce and no seed."""
    host = Host.of(2, first=0).start()
    ready, chair = host.table.event(1), host.state.chairs[0]
    pick = host.do(Pick(1), 0)
    host.pick().play(3)
    turn, end = host.table.event(host.table.seq), Host.of(2).start().end()
    text = repr([ready, pick, turn, chair, Chair(nonce="abcd"), host.state, host.croupier])
    text += repr(host.table.public_events(-1)) + repr(host.decide(host.turn(), host.caller(1)))
    assert nonce_of(0) not in text and "abcd" not in text and "side=" not in text
    assert "answers" not in text and "hands" not in text and "draw" not in text
    assert SEED.hex() not in text + repr(end.table.event(3)) and repr(SEED) not in text
