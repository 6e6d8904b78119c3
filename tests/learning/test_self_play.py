"""Self-play gives the same positions in threads, in other processes and on a cluster, and stops cleanly."""

from collections.abc import Generator, Iterable
from importlib.util import find_spec
from typing import Any

import pytest

from sanssouci.arena import Executor, ExecutorFault, ProcessPool
from sanssouci.arena.ray_executor import LOCAL, RayExecutor
from sanssouci.arena.signals import Interruption
from sanssouci.learning.self_play import Job, Played, Policy, SelfPlay, SelfPlayTask
from sanssouci.network import shipped_network
from sanssouci.network.games import Style

from ..cli.command import wait_for
from ..helpers import user_error

SEATS, SEED = (2,), 5


def policy() -> Policy:
    """The shipped network, with noise."""
    return Policy(shipped_network(2).layers, True, Style(0.3, 0.02, 0.8, 0.3))


def played_by(cluster: Executor | None) -> list[Played]:
    """A few jobs, in the order in which they were done."""
    play, found = SelfPlay(SEATS, policy(), 2, SEED, cluster), list[Played]()

    def have_enough() -> bool:
        found.extend(play.take())
        return len(found) > 2

    try:
        wait_for(have_enough)
    finally:
        play.stop()
    return found


def content(played: Played) -> bytes:
    return played.words.tobytes() + played.targets.tobytes()


def check_jobs(found: list[Played]) -> None:
    """Each is one of the first jobs, and none was done twice."""
    task = SelfPlayTask(SEATS, SEED)
    expected = [content(task.run([Job(number, policy())])[0]) for number in range(len(found) + 4)]
    places = [expected.index(content(played)) for played in found]
    assert len(set(places)) == len(places)


def test_threads_and_processes_play_the_same_games() -> None:
    """The games of a job follow from its number and the policy."""
    check_jobs(played_by(None))
    check_jobs(played_by(ProcessPool(2)))


@pytest.mark.exhaustive
@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")
def test_a_cluster_plays_the_same_games() -> None:
    """``sanssouci train --on ray`` trains on the positions that threads would have recorded."""
    with RayExecutor(LOCAL, 2) as cluster:
        check_jobs(played_by(cluster))


class LostCluster:
    """An executor that ends with an error after its first job."""

    def run(
        self, task: SelfPlayTask, items: Iterable[Job], interruption: Interruption
    ) -> Generator[Any, None, None]:
        yield task.run([next(iter(items))])
        raise ExecutorFault("ray.lost", reason="away")


def test_a_lost_cluster_is_reported_and_stops() -> None:
    """The trainer gets its sentence, and can still stop and save."""
    play = SelfPlay(SEATS, policy(), 2, SEED, LostCluster())  # type: ignore[arg-type]  # for this task only
    wait_for(lambda: play.failure is not None)
    with user_error("ray.lost"):
        play.take()
    play.stop()


def test_games_pause_without_a_policy() -> None:
    """The trainer takes the policy away while it learns; a paused run stops too."""
    play = SelfPlay(SEATS, policy(), 1, SEED)
    play.policy = None
    play.stop()
    assert play.failure is None
