"""Ctrl-C while games are played elsewhere: noticed in every moment, raised between pieces of work."""

import signal
from collections.abc import Generator, Iterable

import pytest

from sanssouci.arena import Series, Simulation, Summary
from sanssouci.arena.executor import Item, Result, Task
from sanssouci.arena.signals import Interruption, defer_interrupt
from sanssouci.dealer import parse_seed
from sanssouci.editions import load_edition
from sanssouci.rules import RAVENSBURGER, Variant


class LateInterrupt:
    """An ``Executor`` to which Ctrl-C comes when all items are done and its workers are being dismissed."""

    def run(
        self, task: Task[Item, Result], items: Iterable[Item], interruption: Interruption
    ) -> Generator[Result, None, None]:
        yield from (task.run([item]) for item in items)
        signal.raise_signal(signal.SIGINT)


def test_ctrl_c_after_the_last_piece_of_work_is_raised() -> None:
    """It is not lost, so that a run of several parts stops there; the results are handed over before."""
    simulation = Simulation(
        Variant(), load_edition(RAVENSBURGER).boards, ("random", "random"), parse_seed("1")
    )
    played = Series(simulation, 2, Summary).play_on(LateInterrupt())
    handler, games = signal.getsignal(signal.SIGINT), 0
    with pytest.raises(KeyboardInterrupt):
        for portion in played:
            games += portion.games
    assert games == 2 and signal.getsignal(signal.SIGINT) is handler


def test_an_error_comes_before_ctrl_c() -> None:
    """If the work fails as well, its error is raised."""
    with pytest.raises(RuntimeError, match="lost"), Interruption() as interruption:
        signal.raise_signal(signal.SIGINT)
        assert interruption.reader.poll()
        raise RuntimeError("lost")


def test_an_interruption_by_the_program_is_not_raised() -> None:
    """``interrupt`` wakes the loop only; the caller knows that it has stopped the work itself."""
    with Interruption() as interruption:
        interruption.interrupt()
        assert interruption.reader.poll()
    with pytest.raises(KeyboardInterrupt), defer_interrupt():
        signal.raise_signal(signal.SIGINT)
