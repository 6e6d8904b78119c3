"""Files written by commands: saved games, arena journals, boards files, results."""

import json
from pathlib import Path

import pytest

from sanssouci.editions import read_boards
from sanssouci.notation import write_record
from sanssouci.terminal import read_game, write_game

from ..cli.command import run as run_process
from ..player_packages import install_all
from .generations import Generation, run


def saves(generation: Generation) -> list[Path]:
    """The saved games; a game that has started has its record next to it."""
    found = sorted((generation.folder / "saves").glob("*.json"))
    return [path for path in found if not path.name.endswith(".record.json")]


def test_a_saved_game_is_at_the_same_position(generation: Generation) -> None:
    """Seats, picks and turns are restored, and the record so far is the same byte by byte."""
    assert len(saves(generation)) >= 6
    for path in saves(generation):
        session = read_game(path)
        again = generation.scratch / path.name
        write_game(session, again)
        before, after = json.loads(path.read_bytes()), json.loads(again.read_bytes())
        assert {name: after[name] for name in before} == before, path.name
        record = path.with_suffix(".record.json")
        if record.exists():
            assert write_record(session.record()) == record.read_bytes(), path.name
        assert session.over == (path.stem == "over")


def test_the_last_game_is_resumed(generation: Generation, monkeypatch: pytest.MonkeyPatch) -> None:
    """``play --resume`` finds a saved game in the state folder and continues it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(generation.scratch))
    generation.copy("saves/playing.json", generation.state / "games" / "playing.json")
    done = run("play", "--resume", "--plain", "--lang", "en", input="quit\n")
    assert done.exit_code == 0 and "after turn 13" in done.stdout, done.output


@pytest.mark.parametrize("name", ["base", "three-seats", "budgets"])
def test_an_arena_journal_is_read(name: str, generation: Generation) -> None:
    """The games of a journal are not played again, and the standings are the same."""
    journal = generation.copy(f"arena/{name}.jsonl", generation.scratch / "journal.jsonl")
    whole = generation.json(f"arena/{name}.standings.json")
    done = run("arena", *whole["options"], "--resume", journal, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout) == whole["standings"]
    assert journal.read_bytes() == (generation.folder / f"arena/{name}.jsonl").read_bytes()


def test_an_arena_journal_with_faults_is_read(generation: Generation) -> None:
    """A journal with faults gives the same standings; its player is a plug-in, in a separate process."""
    journal = generation.copy("arena/faults.jsonl", generation.scratch / "journal.jsonl")
    whole = generation.json("arena/faults.standings.json")
    player_folder = install_all(generation.scratch / "player_folder")
    options = [*whole["options"], "--resume", journal, "--json"]
    done = run_process("arena", *options, PYTHONPATH=str(player_folder))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == whole["standings"]


def test_an_interrupted_arena_journal_is_continued(generation: Generation) -> None:
    """A torn last line is dropped and its game played again; the standings are those of a full run."""
    journal = generation.copy("arena/base-torn.jsonl", generation.scratch / "journal.jsonl")
    before = journal.read_bytes()
    whole = generation.json("arena/base.standings.json")
    done = run("arena", *whole["options"], "--workers", 1, "--resume", journal, "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    for player in (*found["players"], *whole["standings"]["players"]):
        del player["seconds_per_turn"]
    assert found == whole["standings"]
    assert journal.read_bytes().startswith(before[: before.rindex(b"\n") + 1])
    _, *games = map(json.loads, journal.read_bytes().splitlines())
    assert len(games) == found["games"]
    assert games[-1].keys() >= games[0].keys(), "the new line has every field of the old ones"


def test_boards_files_are_read(generation: Generation) -> None:
    """A template, a full file and a small one are read with the same digests."""
    digests = generation.json("boards/digests.json")
    for name, digest in digests.items():
        done = run("boards", "check", generation.folder / "boards" / name, "--json")
        assert done.exit_code == 0, done.output
        assert read_boards(generation.folder / "boards" / name).sha256 == digest, name


def test_results_have_the_same_columns(generation: Generation) -> None:
    """Users' programs read results files, so columns keep their names and order."""
    path = generation.scratch / "results.csv"
    options = ["--games", 3, "--seed", 1, "--players", "greedy,random"]
    done = run("simulate", *options, "--out", path)
    assert done.exit_code == 0, done.output
    assert path.read_bytes() == (generation.folder / "results.csv").read_bytes()
