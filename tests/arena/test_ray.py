"""Games on a Ray cluster: the same results as on one machine, also if a node is killed."""

import json
import signal
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from ..cli.command import Done, background, run_fresh, wait_for
from .ray_cluster import Cluster, cluster

pytestmark = pytest.mark.skipif(
    find_spec("ray") is None, reason="Ray is not installed: pip install 'sanssouci-game[ray]'"
)
ARENA = ["arena", "--players", "planner@200,greedy", "--seed", 7, "--json"]


def figures(done: Done) -> dict[str, Any]:
    """The JSON document without the times."""
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    for player in document["players"]:
        del player["seconds_per_turn"]
    return document


def test_a_local_cluster_gives_the_same_results(tmp_path: Path) -> None:
    """``--on ray`` gives the same document and the same file, and writes nothing else to standard error."""
    options = ["simulate", "--games", 9000, "--players", "random", "--seed", 3, "--json", "--out"]
    here = run_fresh(*options, tmp_path / "here.parquet")
    there = run_fresh(*options, tmp_path / "there.parquet", "--on", "ray", "--threads", 2)
    assert (there.returncode, there.stdout, there.stderr) == (0, here.stdout, "")
    assert (tmp_path / "there.parquet").read_bytes() == (tmp_path / "here.parquet").read_bytes()


@pytest.fixture(scope="module")
def two_nodes() -> Iterator[Cluster]:
    """A cluster of two nodes."""
    with cluster() as running:
        running.add_node()
        yield running


@pytest.mark.exhaustive
def test_a_killed_node_changes_nothing(two_nodes: Cluster, tmp_path: Path) -> None:
    """A node is killed while it plays: the standings and records equal those of one machine."""
    node = two_nodes.add_node()
    files = ["--records", tmp_path / "there", "--resume", tmp_path / "journal"]
    words = [*ARENA, "--games", 30, *files, "--on", two_nodes.address]
    with background(
        *words, "--on", two_nodes.address, cwd=None, input="", **two_nodes.environment
    ) as running:
        wait_for(lambda: two_nodes.plays(node) and _lines(tmp_path / "journal") > 4)
        two_nodes.kill(node)
        there = running.finish()
    here = run_fresh(*ARENA, "--games", 30, "--records", tmp_path / "here")
    assert figures(there) == figures(here) and _lines(tmp_path / "journal") == 31
    records = {path.name: path.read_bytes() for path in (tmp_path / "here").iterdir()}
    assert {path.name: path.read_bytes() for path in (tmp_path / "there").iterdir()} == records


@pytest.mark.exhaustive
def test_ctrl_c_and_resume(two_nodes: Cluster, tmp_path: Path) -> None:
    """Ctrl-C keeps the finished games; the same command plays the rest, on the cluster or without it."""
    words = [*ARENA, "--games", 40, "--resume", tmp_path / "journal", "--on", two_nodes.address]
    with background(
        *words, "--on", two_nodes.address, cwd=None, input="", **two_nodes.environment
    ) as running:
        wait_for(lambda: _lines(tmp_path / "journal") > 4)
        running.send(signal.SIGINT, group=True)
        stopped = running.finish()
    played = _lines(tmp_path / "journal") - 1
    assert stopped.returncode == 130 and f"stopped after {played} of 40" in stopped.stderr
    rest = run_fresh(*words, **two_nodes.environment)
    assert f"{played} of 40 games are already in the journal" in rest.stderr
    assert figures(rest) == figures(run_fresh(*ARENA, "--games", 40))


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "words",
    [
        ["simulate", "--games", 300, "--players", "level:1,steward", "--seed", 1, "--json"],
        ["simulate", "--games", 100_000, "--players", "greedy,random", "--seed", 1, "--json"],
        ["boards", "balance", "--games", 30_000, "--seed", 1, "--json"],
    ],
)
def test_a_cluster_gives_the_same_results(two_nodes: Cluster, words: list[object]) -> None:
    """Series of games give the same document on a cluster, to the last digit."""
    there = run_fresh(*words, "--on", two_nodes.address, **two_nodes.environment)
    assert there.returncode == 0 and there.stdout == run_fresh(*words).stdout


@pytest.mark.exhaustive
def test_a_lost_cluster_is_reported(tmp_path: Path) -> None:
    """When the head dies, one sentence says so; the finished games are counted and in the journal."""
    with cluster() as lost:
        words = [*ARENA, "--games", 400, "--resume", tmp_path / "journal", "--on", lost.address]
        with background(*words, cwd=None, input="", **lost.environment) as running:
            wait_for(lambda: _lines(tmp_path / "journal") > 2 or not running.process.is_alive())
            lost.kill(0)
            done = running.finish()
    assert done.returncode == 1 and json.loads(done.stdout)["games"] == _lines(tmp_path / "journal") - 1
    assert "the connection to the Ray cluster was lost" in done.stderr
    gone = run_fresh("simulate", "--on", lost.address)
    assert gone.returncode == 2 and "cannot be reached" in gone.stderr and gone.stderr.count("\n") == 1


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0
