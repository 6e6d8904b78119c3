"""The guard around a player: the game continues after any fault, and the fault is recorded."""

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
    fallback_turn,
    greedy_points_turn,
    make_player,
)
from sanssouci.rules import Setup, SetupView, Turn, Variant, View, turn_score

from ..helpers import VARIANTS, odd_deal, random_states, stream


class Scripted(RandomPlayer):
    """Returns or raises the next item of its script, then plays at random."""

    script: list[object]

    def decide(self, view: View) -> Turn:
        answer = self.script.pop(0) if self.script else None
        if isinstance(answer, BaseException):
            raise answer
        return super().decide(view) if answer is None else answer  # type: ignore[return-value]

    def pick(self, view: SetupView) -> int:
        return 7


def scripted(*script: object) -> Scripted:
    player = Scripted(stream(3))
    player.script = list(script)
    return player


def views(variant: Variant = VARIANTS[0]) -> list[View]:
    """The views of the seat to move, turn by turn, in a random game."""
    states = random_states(odd_deal(variant, stream(1)), stream(2))
    return [state.view(state.to_move) for state in states if not state.over]


def test_a_fault_becomes_greedys_turn_and_a_logged_error(caplog: pytest.LogCaptureFixture) -> None:
    """R14: an exception, a wrong type and an illegal turn are logged, and greedy decides."""
    for answer, message in (
        (LookupError("no idea"), "the player failed: LookupError: no idea"),
        (SystemExit(3), "the player failed: SystemExit: 3"),
        ("a@0-a2", "the player returned 'a@0-a2' instead of Turn"),
        (Turn(0, 0, 99), "R1"),
    ):
        view = views()[5]
        guard = Guard(scripted(answer))
        with caplog.at_level(logging.ERROR, logger="sanssouci.players"):
            assert guard.decide(view) == best_turn(view)
        (record,) = caplog.records
        assert record.name == "sanssouci.players" and record.exc_info is not None
        assert message in record.getMessage() and record.getMessage().startswith("seat 2, turn 6: ")
        assert str(guard.faults[0]) == record.getMessage() and guard.faults[0].turn == 6
        caplog.clear()


def test_a_seat_is_lost_after_the_last_chance(caplog: pytest.LogCaptureFixture) -> None:
    """After its last chance a player is not asked again."""
    first, second = views()[:2]
    strict, lenient = Guard(scripted(ValueError())), Guard(scripted(ValueError()), chances=3)
    assert strict.decide(first) == lenient.decide(first) == best_turn(first)
    assert strict.decide(second) == best_turn(second) and (strict.turns, len(strict.faults)) == (1, 1)
    assert lenient.decide(second) in second.options() and (lenient.turns, len(lenient.faults)) == (2, 1)
    hopeless = Guard(UnavailablePlayer(UserError("player.no_methods", name="x")), chances=3)
    for _ in range(5):
        assert hopeless.decide(first) == best_turn(first)
    assert (hopeless.turns, len(hopeless.faults)) == (3, 3)


def test_an_invalid_side_becomes_the_first() -> None:
    """R9: an invalid side is a fault before the game, and the first side is used."""
    boards = load_edition("ravensburger").boards.gardens[:2]
    guard = Guard(scripted())
    assert guard.pick(Setup.with_gardens(Variant(2), boards).view(1)) == 0
    assert (
        str(guard.faults[0]).startswith("seat 2, before the first turn: R9: ") and guard.faults[0].turn == 0
    )


def test_ctrl_c_is_a_fault_only_in_workers() -> None:
    """KeyboardInterrupt is a fault only in a worker process, which ignores SIGINT."""
    view = views()[0]
    with pytest.raises(KeyboardInterrupt):
        Guard(scripted(KeyboardInterrupt())).decide(view)
    guard = Guard(scripted(KeyboardInterrupt()), ignores_interrupt=True)
    assert guard.decide(view) == best_turn(view) and "KeyboardInterrupt" in str(guard.faults[0])


def test_a_player_that_cannot_be_created_loses() -> None:
    """A player that cannot be created loses with that reason."""
    guard = Guard(UnavailablePlayer(BrokenPlayer("player.no_methods", name="odd")))
    assert guard.decide(views()[0]) in views()[0].options()
    assert str(guard.faults[0]).startswith("seat 1, turn 1: the player “odd” needs the methods")


def test_a_transcript_has_the_traceback() -> None:
    """The transcript of a plug-in has the traceback and the fault."""
    guard = Guard(scripted(LookupError("no idea")))
    guard.decide(views()[0])
    trace, fault = map(json.loads, guard.transcript().splitlines())
    assert "scripted" in trace["traceback"] or "test_guard.py" in trace["traceback"]
    assert fault["fault"] == {"seat": 0, "turn": 1, "reason": "the player failed: LookupError: no idea"}


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
def test_the_rules_alone_give_a_turn(variant: Variant) -> None:
    """R20, R30, R35: ``greedy_points_turn`` is legal, and no turn scores more at once."""
    for view in views(variant)[:: variant.seats * 2 + 1]:
        turn = greedy_points_turn(view)
        garden, score = view.gardens[view.to_move], view.scores[view.to_move]
        assert turn in view.options()
        best = max(turn_score(garden, score, other).total for other in view.options())
        assert turn_score(garden, score, turn).total == best


def test_a_failing_kernel_falls_back_to_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel that raises, returns an illegal turn or is not compiled is replaced by the slow ``greedy``."""
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
            assert fallback_turn(view) == greedy_points_turn(view)


def test_a_guard_does_not_change_a_good_player() -> None:
    """A guard does not change the turns of a good player, and measures its time."""
    guard = Guard(make_player("random", BulkGame(bytes(32), 1).stream(0)))
    alone = make_player("random", BulkGame(bytes(32), 1).stream(0))
    for view in views()[::2]:
        assert guard.decide(view) == alone.decide(view)
    assert guard.turns == 18 and guard.seconds > 0 and not guard.faults
