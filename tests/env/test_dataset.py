"""Datasets: every row agrees with the rules, and a run that was stopped goes on."""

import json
import shutil
from pathlib import Path

import numpy as np
import pytest

from sanssouci.arena import Series, Simulation, Summary
from sanssouci.dealer import parse_seed
from sanssouci.editions import load_edition
from sanssouci.env import dataset
from sanssouci.env.dataset import (
    GAMES,
    TURNS,
    check_dataset,
    observations_of,
    read_manifest,
    read_table,
    states_of,
    write_dataset,
)
from sanssouci.env.observation import observe
from sanssouci.env.spec import Stage
from sanssouci.kernel import decode, restore
from sanssouci.rules import IMPERIAL, Chance, Result, Variant
from tests.arena.test_signals import LateInterrupt
from tests.cli.command import run, usage_error
from tests.helpers import user_error

pytest.importorskip("pyarrow", reason="the extra parquet is not installed")

DOCS = Path(__file__).parents[2] / "docs" / "dataset.md"


def simulation(*players: str, expansions: bool = False) -> Simulation:
    variant = Variant(len(players), IMPERIAL, expansions, expansions)
    return Simulation(variant, load_edition(IMPERIAL).boards, players, parse_seed("3"))


@pytest.mark.parametrize("players", [("random", "greedy", "random"), ("level:1", "random")])
def test_rows_agree_with_the_rules(tmp_path: Path, players: tuple[str, ...]) -> None:
    """Compiled or not: positions, legal turns, chance and scores are those of the rules."""
    games = simulation(*players, expansions=True)
    write_dataset(tmp_path, games, 3)
    turns, results = read_table(tmp_path, TURNS), read_table(tmp_path, GAMES).to_pylist()
    states = states_of(turns)
    seen, masks = observations_of(states)
    for number, row in enumerate(turns.to_pylist()):
        state, turn = restore(states[number]), decode(row["code"])
        assert (row["turn"], row["round"], row["seat"]) == (state.turn, state.round, state.to_move)
        assert row["legal_turns"] == len(state.options())
        if number % 10 == 0:
            assert [*state.options()][row["index"]] == turn
            view = state.view(state.to_move)
            assert (seen[number] == observe(view, Stage.CARD)).all()
            assert np.flatnonzero(masks[number]).tolist() == [c for c in range(20) if view.hand >> c & 1]
        assert (row["card"], row["space"], row["square"]) == (turn.card, turn.space, turn.square)
        assert (row["gardener"], row["boar"], row["noble"]) == (turn.gardener, turn.boar, turn.noble)
        assert row["points"] == [score.total for score in state.scores]
        after = state.play(turn, Chance(row["refill"], row["draw"]))
        if not after.over:
            assert after == restore(states[number + 1])
            continue
        result, game = Result.of(after), results[row["game"] - 1]
        assert game["scores"] == [score.total for score in result.scores]
        assert game["parts"] == [part for score in result.scores for part in score.parts().values()]
        assert game["gardeners"] == [*result.gardeners]
        assert [seat for seat, share in enumerate(game["won"]) if share] == [*result.winners]
        assert game["missions"] == [mission for pair in after.missions for mission in pair]
        assert len(game["garden_boards"]) == len(game["reward_sides"]) == len(players)


def test_compiled_games_and_records_give_the_same_rows() -> None:
    """The games that the kernel plays are those that the rules play."""
    games = simulation("random", "greedy")
    portion = Series(games, 2, Summary, results=True, records=True).run([(1, 1), (2, 1)])
    results = np.concatenate([chunk.results for chunk in portion.chunks])
    slow = dataset._part(games, 1, [record for _, record in portion.records], results)
    fast = dataset._play(games, 1, 2, None)
    assert (slow.codes == fast.codes).all() and (slow.results == fast.results).all()
    assert (slow.batch.states == fast.batch.states).all() and (slow.batch.tiles == fast.batch.tiles).all()


def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    """What is complete is kept; the files are the same as those of a run that was not stopped."""
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    games = simulation("random", "random")
    complete = write_dataset(whole, games, 5, part=2)

    def stop(_done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(parts, games, 5, part=2, progress=stop)
    assert [*read_manifest(parts)["files"]] == ["games/part-00000.parquet", "turns/part-00000.parquet"]
    assert not read_manifest(parts)["complete"]
    written = (parts / "turns/part-00000.parquet").stat().st_mtime_ns
    assert write_dataset(parts, games, 5, part=2) == complete == check_dataset(parts)
    assert (parts / "turns/part-00000.parquet").stat().st_mtime_ns == written
    assert len(read_table(parts, TURNS)) == 5 * 36


def test_ctrl_c_at_the_end_of_a_part_stops_the_run(tmp_path: Path) -> None:
    """Ctrl-C while the workers of a part are dismissed is not lost; the same command then continues."""
    games = simulation("level:1", "random")
    with pytest.raises(KeyboardInterrupt):
        write_dataset(tmp_path, games, 2, part=1, executor=LateInterrupt())
    assert not read_manifest(tmp_path)["complete"]
    assert write_dataset(tmp_path, games, 2, part=1)["complete"]


@pytest.mark.parametrize("fault", ["missing folder", "missing file", "damaged file"])
def test_the_same_command_repairs_the_files(tmp_path: Path, fault: str) -> None:
    """Missing and damaged parts are written again, the others are kept."""
    games = simulation("random", "random")
    manifest = write_dataset(tmp_path, games, 4, part=2)
    kept, file = tmp_path / "turns/part-00000.parquet", tmp_path / "turns/part-00001.parquet"
    written = kept.stat().st_mtime_ns
    if fault == "missing folder":
        shutil.rmtree(tmp_path / GAMES)
    elif fault == "missing file":
        file.unlink()
    else:
        file.write_bytes(file.read_bytes()[:-1] + b"?")
    with user_error("dataset.damaged"):
        check_dataset(tmp_path)
    assert write_dataset(tmp_path, games, 4, part=2) == manifest == check_dataset(tmp_path)
    assert len(read_table(tmp_path, GAMES)) == 4
    assert (kept.stat().st_mtime_ns == written) is (fault != "missing folder")


def test_games_can_be_added(tmp_path: Path) -> None:
    """More games follow full files; fewer, or more after a file that is not full, are refused."""
    games = simulation("random", "random")
    write_dataset(tmp_path, games, 4, part=2)
    assert len(read_table(tmp_path, GAMES)) == 4
    write_dataset(tmp_path, games, 5, part=2)
    assert read_table(tmp_path, GAMES)["game"].to_pylist() == [1, 2, 3, 4, 5]
    for count in (3, 6):
        with user_error("dataset.other", names="games"):
            write_dataset(tmp_path, games, count, part=2)


def test_wrong_folders_get_a_sentence(tmp_path: Path) -> None:
    """Another dataset, other files, damage and a wrong part are reported."""
    games = simulation("random", "random")
    with user_error("dataset.bad_part", part=0):
        write_dataset(tmp_path / "new", games, 2, part=0)
    with user_error("dataset.none"):
        check_dataset(tmp_path)
    (tmp_path / "notes.txt").touch()
    with user_error("dataset.not_empty"):
        write_dataset(tmp_path, games, 2)
    folder = tmp_path / "data"
    write_dataset(folder, games, 2)
    with user_error("dataset.other", names="players"):
        write_dataset(folder, simulation("random", "greedy"), 2)
    file = folder / "turns/part-00000.parquet"
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    with user_error("dataset.damaged", path=file):
        check_dataset(folder)


def test_the_docs_list_the_columns() -> None:
    """docs/dataset.md has every column of both tables in order."""
    names = [line.split("`")[1] for line in DOCS.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert names == [*dataset.schema(GAMES).names, *dataset.schema(TURNS).names]


def test_the_command_writes_and_checks(tmp_path: Path) -> None:
    """``sanssouci dataset`` prints its manifest as JSON, keeps the seed, and checks the files."""
    done = run("dataset", "data/d", "--games", 3, "--players", "random", "--json", cwd=tmp_path)
    manifest = json.loads(done.stdout)
    assert manifest["complete"] and manifest["games"] == 3
    again = run("dataset", "data/d", "--games", 3, "--players", "random", cwd=tmp_path)
    assert again.stdout.startswith(f"{Path('data/d')}: 3 games, 108 turns")
    written = tmp_path / "data" / "d"
    assert json.loads((written / "manifest.json").read_text())["settings"] == manifest["settings"]
    card = (written / "DATASET.md").read_text("utf-8")
    assert manifest["settings"]["seed"] in card and "random, random" in card
    assert all(name in card and entry["sha256"] in card for name, entry in manifest["files"].items())
    assert "match" in run("dataset", "data/d", "--check", cwd=tmp_path).stdout
    assert "no dataset" in usage_error("dataset", "e", "--check", cwd=tmp_path)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "2 of 3 games"), ("de", "2 von 3"), ("fr", "2 parties sur 3"), ("es", "2 de 3")],
)
def test_the_check_of_a_stopped_run_fails(tmp_path: Path, language: str, words: str) -> None:
    """``--check`` says how many games are written and how to continue, with status 1."""

    def stop(_done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_dataset(tmp_path, simulation("random", "random"), 3, part=2, progress=stop)
    done = run("dataset", tmp_path, "--check", "--lang", language)
    assert (done.returncode, done.stdout) == (1, "") and words in done.stderr
    done = run("dataset", tmp_path, "--check", "--json")
    assert done.returncode == 1 and not json.loads(done.stdout)["complete"]
