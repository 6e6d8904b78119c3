"""Tables that differ only in hidden information look the same to viewers that may not know it."""

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
    RejectReason,
    Reveal,
    TableState,
    Viewer,
    chairs,
    execution,
    public_events,
    table,
    views,
    write_table,
)

from .hosted_table import SEED, Host, nonce_of
from .paired_tables import PAIRS, Leak, Pair, check_pair

Patch = pytest.MonkeyPatch


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_paired_tables_look_the_same(pair: Pair) -> None:
    """R11, R12: views, events, refusals and reprs of both tables are equal while the difference is hidden."""
    assert check_pair(pair) > 15


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_paired_tables_differ(pair: Pair) -> None:
    """The seats that may know the difference see it, or the dealer holds it."""
    if pair.knows:
        with pytest.raises(Leak):
            check_pair(replace(pair, knows=frozenset()))
    else:
        assert hidden_deal(pair.one()) != hidden_deal(pair.other()) or pair.nonces[0] != pair.nonces[1]


def hidden_deal(croupier: Croupier) -> tuple[object, ...]:
    """The part of the deal that only the server knows."""
    dealer = croupier.dealer(("",) * 3)
    return dealer.tiles(Variant(3)), dealer.shuffled("missions", tuple(range(9))), croupier._seed


def leak_nonce(patch: Patch) -> None:
    """A chair is shown with its nonce."""
    write = chairs.write_chair
    patch.setattr(views, "write_chair", lambda chair, *rest: write(chair, *rest) | {"nonce": chair.nonce})


def leak_hand(patch: Patch) -> None:
    """Everyone gets the view of the seat to move."""

    def write_game(state: TableState, viewer: Viewer, public: dict[str, Any]) -> dict[str, Any]:
        game = state.game
        return {} if game is None else {"game": write_view(game.view(game.to_move))}

    patch.setattr(views, "_write_game", write_game)


def leak_draw(patch: Patch) -> None:
    """Everyone sees which card was drawn."""
    write_original: Any = public_events.public_event

    def write_leak(before: TableState | None, event: Event, after: TableState) -> Any:
        result = write_original(before, event, after)
        return replace(result, public=result.public | (result.own or {}))

    patch.setattr(table, "public_event", write_leak)


def leak_pick(patch: Patch) -> None:
    """Everyone sees which side was picked."""
    write_original: Any = public_events.public_event

    def write_leak(before: TableState | None, event: Event, after: TableState) -> Any:
        result, command = write_original(before, event, after), event.command
        more = {"side": command.side} if isinstance(command, Pick) else {}
        return replace(result, public=result.public | more)

    patch.setattr(table, "public_event", write_leak)


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
    """A view contains the number of legal turns, which depends on a hand."""
    write_viewer = views._write_viewer
    patch.setattr(
        views,
        "_write_viewer",
        lambda state, viewer: (
            write_viewer(state, viewer)
            | {"choices": 0 if state.game is None else len(list(state.game.options()))}
        ),
    )


def _reject(patch: Patch, command: Play | Pick, reveal: Callable[[TableState, Any], Any]) -> None:
    """Reject one command always, with a detail that reveals something."""
    run = execution.execute

    def leaking_execute(state: TableState, context: Any, source: Any) -> TableState:
        if context.command == command and (state.game is not None or isinstance(command, Pick)):
            raise CommandRejected(RejectReason.NOT_AWAITED, detail=reveal(state, source))
        return run(state, context, source)

    patch.setattr(table, "execute", leaking_execute)


def leak_refusal(patch: Patch) -> None:
    """A rejection contains the hand of the seat to move."""
    _reject(patch, Play("a@0"), lambda state, source: state.game.hands[state.game.to_move])  # type: ignore[union-attr]


def leak_pouch(patch: Patch) -> None:
    """A rejection contains the next tile. It is in no state, so the croupier is asked."""
    _reject(patch, Play("a@0"), lambda state, source: source.answer("refill", state))


def leak_seed(patch: Patch) -> None:
    """A rejection contains the seed."""
    _reject(patch, Pick(9), lambda state, source: source.answer("seed", state))


def leak_repr(patch: Patch) -> None:
    """An event's repr, as a log would quote it, contains the answers of chance."""
    patch.setattr(Event, "__repr__", lambda event: f"Event({event.answers})")


def leak_own_repr(patch: Patch) -> None:
    """A command's repr contains the nonce."""
    patch.setattr(Reveal, "__repr__", lambda reveal: f"Reveal({reveal.nonce})")


def leak_summary(patch: Patch) -> None:
    """A list of tables shows which seat has the best hand."""
    patch.setattr(
        "tests.table.paired_tables.write_summary",
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
"""Each leak, and a pair of tables in which it must be found."""


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_planted_leak_is_caught(leak: Callable[[Patch], None], monkeypatch: Patch) -> None:
    """The comparison finds every planted leak."""
    leak(monkeypatch)
    with pytest.raises(Leak):
        check_pair(next(pair for pair in PAIRS if pair.name == LEAKS[leak]))


def test_hands_and_draws_are_shown_only_to_their_owner() -> None:
    """R11: only the owner sees the hand and the drawn card."""
    host = Host.of(2, first=0).start().pick()
    views: list[Any] = [write_table(host.state, viewer) for viewer in (Viewer(0), Viewer(1), SPECTATOR)]
    hands = [view["game"]["hand"] for view in views]
    assert len(hands[0]) == len(hands[1]) == 2 and hands[2] == []
    host.play(1)
    event: Any = host.table.public_events(host.table.seq - 1)[0]
    own: Any = write_table(host.state, Viewer(0))["game"]
    assert "draw" in event.to(0) and event.to(0)["draw"] in own["hand"]
    assert "draw" not in event.to(1) and "draw" not in event.to(None)


def test_options_are_shown_only_to_the_seat_to_move() -> None:
    """Nobody has options when the game is over."""
    host = Host.of(2, first=0).start().pick()

    def has_options() -> list[bool]:
        viewers = (Viewer(0), Viewer(1), SPECTATOR, Viewer(owner=True))
        return [write_table(host.state, viewer)["options"] is not None for viewer in viewers]

    assert has_options() == [True, False, False, False]
    host.play()
    assert has_options() == [False, True, False, False]
    host.end()
    assert has_options() == [False] * 4


def test_reprs_contain_no_secrets() -> None:
    """Reprs contain no hand, nonce or seed, so logs cannot reveal them."""
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
