"""A guard beside a player: the game goes on whatever it does, and what went wrong is known."""

import json
import logging

import pytest

from sanssouci.dealer import BulkGame
from sanssouci.editions import load_edition
from sanssouci.kernel import best_turn
from sanssouci.locale import UserError
from sanssouci.players import (
    BrokenPlayer,
    Guard,
    RandomPlayer,
    UnavailablePlayer,
    eager_turn,
    fallback_turn,
    make_player,
)
from sanssouci.rules import Setup, SetupView, Turn, Variant, View, turn_score

from ..helpers import VARIANTS, odd_deal, random_states, stream


class Moody(RandomPlayer):
    """Does what the next of its moods says."""

    moods: list[object]

    def decide(self, view: View) -> Turn:
        mood = self.moods.pop(0) if self.moods else None
        if isinstance(mood, BaseException):
            raise mood
        return super().decide(view) if mood is None else mood  # type: ignore[return-value]

    def pick(self, view: SetupView) -> int:
        return 7


def moody(*moods: object) -> Moody:
    """A player with these moods, then a random one."""
    player = Moody(stream(3))
    player.moods = list(moods)
    return player


def views(variant: Variant = VARIANTS[0]) -> list[View]:
    """What the seat to move sees, turn by turn, in a random game."""
    states = random_states(odd_deal(variant, stream(1)), stream(2))
    return [state.view(state.to_move) for state in states if not state.over]


def test_a_fault_becomes_greedys_turn_and_a_logged_error(caplog: pytest.LogCaptureFixture) -> None:
    """R14: raised, of the wrong kind, illegal: one line in the log, with what was raised."""
    for mood, said in (
        (LookupError("no idea"), "the player failed: LookupError: no idea"),
        (SystemExit(3), "the player failed: SystemExit: 3"),
        ("a@0-a2", "the player returned 'a@0-a2' instead of Turn"),
        (Turn(0, 0, 99), "R1"),
    ):
        view = views()[5]
        guard = Guard(moody(mood))
        with caplog.at_level(logging.ERROR, logger="sanssouci.players"):
            assert guard.decide(view) == best_turn(view)
        (record,) = caplog.records
        assert record.name == "sanssouci.players" and record.exc_info is not None
        assert said in record.getMessage() and record.getMessage().startswith("seat 2, turn 6: ")
        assert str(guard.faults[0]) == record.getMessage() and guard.faults[0].turn == 6
        caplog.clear()


def test_a_seat_is_lost_after_the_last_chance(caplog: pytest.LogCaptureFixture) -> None:
    """Then the player is not asked again; before, it is."""
    first, second = views()[:2]
    strict, kind = Guard(moody(ValueError())), Guard(moody(ValueError()), chances=3)
    assert strict.decide(first) == kind.decide(first) == best_turn(first)
    assert strict.decide(second) == best_turn(second) and (strict.turns, len(strict.faults)) == (1, 1)
    assert kind.decide(second) in second.options() and (kind.turns, len(kind.faults)) == (2, 1)
    hopeless = Guard(UnavailablePlayer(UserError("player.no_methods", name="x")), chances=3)
    for _ in range(5):
        assert hopeless.decide(first) == best_turn(first)
    assert (hopeless.turns, len(hopeless.faults)) == (3, 3)


def test_a_side_that_is_none_becomes_the_first() -> None:
    """R9: and the fault is told as one before the game."""
    boards = load_edition("ravensburger").boards.gardens[:2]
    guard = Guard(moody())
    assert guard.pick(Setup.with_gardens(Variant(2), boards).view(1)) == 0
    assert (
        str(guard.faults[0]).startswith("seat 2, before the first turn: R9: ") and guard.faults[0].turn == 0
    )


def test_ctrl_c_is_no_fault_unless_nobody_can_press_it() -> None:
    """In a worker process of an arena it can only be the player's own doing."""
    view = views()[0]
    with pytest.raises(KeyboardInterrupt):
        Guard(moody(KeyboardInterrupt())).decide(view)
    deaf = Guard(moody(KeyboardInterrupt()), deaf=True)
    assert deaf.decide(view) == best_turn(view) and "KeyboardInterrupt" in str(deaf.faults[0])


def test_a_player_that_could_not_be_made_loses_too() -> None:
    """Its reason is told in the place of its answers."""
    guard = Guard(UnavailablePlayer(BrokenPlayer("player.no_methods", name="odd")))
    assert guard.decide(views()[0]) in views()[0].options()
    assert str(guard.faults[0]).startswith("seat 1, turn 1: the player “odd” needs the methods")


def test_a_plug_ins_transcript_has_what_it_raised() -> None:
    """Where it happened, and the reason."""
    guard = Guard(moody(LookupError("no idea")))
    guard.decide(views()[0])
    trace, fault = map(json.loads, guard.transcript().splitlines())
    assert "moody" in trace["traceback"] or "test_guard.py" in trace["traceback"]
    assert fault["fault"] == {"seat": 0, "turn": 1, "reason": "the player failed: LookupError: no idea"}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_rules_alone_give_a_turn(variant: Variant) -> None:
    """R20, R30, R35: always a legal one, and none scores more at once."""
    for view in views(variant)[:: variant.seats * 2 + 1]:
        turn = eager_turn(view)
        garden, score = view.gardens[view.to_move], view.scores[view.to_move]
        assert turn in view.options()
        best = max(turn_score(garden, score, other).total for other in view.options())
        assert turn_score(garden, score, turn).total == best


def test_a_kernel_that_fails_stops_no_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither one that raises, nor one that gives what is not legal, nor one that is not compiled yet."""
    view = views()[7]
    assert fallback_turn(view) == best_turn(view)

    def broken(*arguments: object) -> Turn:
        raise SystemError("unknown opcode")

    for name, value in (
        ("best_turn", broken),
        ("best_turn", lambda view: Turn(0, 0, 0)),
        ("is_compiled", lambda job: False),
    ):
        with monkeypatch.context() as patched:
            patched.setattr(f"sanssouci.kernel.{name}", value)
            assert fallback_turn(view) == eager_turn(view)


def test_what_a_guard_beside_a_good_player_changes() -> None:
    """Nothing; it keeps the time."""
    guard = Guard(make_player("random", BulkGame(bytes(32), 1).stream(0)))
    alone = make_player("random", BulkGame(bytes(32), 1).stream(0))
    for view in views()[::2]:
        assert guard.decide(view) == alone.decide(view)
    assert guard.turns == 18 and guard.seconds > 0 and not guard.faults
