"""``sanssouci arena`` with third-party players: reproducible results, and no process is left behind."""

import json
import re
import signal
import sys
import tomllib
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from sanssouci.editions import shipped_boards
from sanssouci.locale import UserError

from ..player_packages import install, install_all
from ..processes import is_running
from .command import Done, Running, background, run, usage_error, wait_for

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture
def player_folder(tmp_path: Path) -> Path:
    """Third-party players, in a folder for PYTHONPATH."""
    return install_all(tmp_path / "player_folder")


def arena(player_folder: Path, players: str, *options: object, cwd: Path | None = None) -> Done:
    words = ["arena", "--players", players, "--seed", 7, *options]
    return run(*words, cwd=cwd, PYTHONPATH=str(player_folder))


def figures(text: str) -> dict[str, Any]:
    """The JSON document without the times."""
    document: dict[str, Any] = json.loads(text)
    for player in document["players"]:
        assert player.pop("seconds_per_turn") > 0
    return document


def living(folder: Path) -> list[int]:
    """The running processes of endless players."""
    pids = [int(path.name.removeprefix("pid-")) for path in folder.glob("pid-*")]
    return [pid for pid in pids if is_running(pid)]


def blocks_sigint(pid: int) -> bool:
    """Whether a process blocks SIGINT; checked on Linux only."""
    if sys.platform != "linux":
        return True
    status = Path(f"/proc/{pid}/status").read_text()
    return bool(int(status.split("SigBlk:")[1].split()[0], 16) >> signal.SIGINT - 1 & 1)


def test_the_example_in_the_docs_works(tmp_path: Path) -> None:
    """The package in docs/players.md, copied verbatim, plays in arena and simulate, and wins."""
    text = (ROOT / "docs" / "players.md").read_text(encoding="utf-8")
    project = tomllib.loads(re.findall(r"```toml\n(.*?)```", text, re.DOTALL)[0])["project"]
    entry = project["entry-points"]["sanssouci.players"]["eager"]
    module, _, attribute = entry.partition(":")
    install(tmp_path, module, re.findall(r"```python\n(.*?)```", text, re.DOTALL)[0], eager=attribute)
    done = arena(tmp_path, "eager,random", "--games", 8, "--workers", 1, "--json", "--rollouts", 5)
    document = json.loads(done.stdout)
    best, worst = document["players"]
    assert (best["player"], best["win_share"], worst["win_share"]) == ("eager", 1, 0)
    assert best["elo"] == -worst["elo"] > 0 and best["win_share_low"] < 1
    assert document["budget"] == {"seconds": None, "rollouts": 5} and document["sprt"] is None
    simulated = run("simulate", "--players", "eager,random", "--games", 2, PYTHONPATH=str(tmp_path))
    assert simulated.returncode == 0 and "eager 1" in simulated.stdout


def test_the_json_document_is_complete(player_folder: Path) -> None:
    """The document has the settings, the players as typed and whole deals, but not the players' output."""
    done = arena(player_folder, "random,first", "--games", 3, "--workers", 1, "--json", "--time", 0.5)
    document = json.loads(done.stdout)
    assert "games: 4, deals: 2" in done.stderr and "as good as any" in done.stderr
    assert (document["games"], document["deals"], document["seats"]) == (4, 2, 2)
    assert document["boards"] == {"name": "reference", "sha256": shipped_boards("reference").sha256}
    assert (document["seed"], document["edition"]) == ("7".rjust(64, "0"), "ravensburger")
    assert document["expansions"] == [] and document["budget"] == {"seconds": 0.5, "rollouts": None}
    assert [player["player"] for player in document["players"]] == ["random", "first"]
    for name in ("win_share", "mean_score", "margin"):
        for player in document["players"]:
            assert player[f"{name}_low"] <= player[name] <= player[f"{name}_high"]


def test_a_killed_worker_changes_nothing(player_folder: Path, tmp_path: Path) -> None:
    """Killing workers in three games changes neither the document nor the records nor the journal."""
    killed = arena(
        player_folder, "mortal,random", "--games", 24, "--workers", 2, "--json",
        "--records", "out", "--resume", "journal", cwd=tmp_path,
    )  # fmt: skip
    assert killed.returncode == 0 and len(list(player_folder.glob("dead-*"))) == 3
    alone = arena(player_folder, "mortal,random", "--games", 24, "--workers", 1, "--json")
    assert figures(killed.stdout) == figures(alone.stdout)
    assert (tmp_path / "journal").read_text().count("\n") == 25
    records = sorted((tmp_path / "out").iterdir())
    assert len(records) == 24 and records[1].name == "deal-000001-BA.json"
    assert json.loads(records[1].read_bytes())["seats"][0] == {"name": "random 1", "player": "random"}
    assert run("verify", "--seed", *records).returncode == 0


def test_a_run_is_resumed(player_folder: Path, tmp_path: Path) -> None:
    """--resume plays only the missing games of a torn journal, and the figures equal those of one run."""
    options = ["--workers", 2, "--json", "--records", "out", "--resume", "journal"]
    assert arena(player_folder, "first,random", "--games", 10, *options, cwd=tmp_path).returncode == 0
    journal = tmp_path / "journal"
    journal.write_bytes(journal.read_bytes()[:-5])
    first = json.loads(journal.read_text().splitlines()[1])
    record = tmp_path / "out" / f"deal-{first['deal']:06}-{first['seating']}.json"
    record.write_bytes(b"kept")
    again = ["arena", "--players", "first,random", "--games", 30, *options]
    done = run(*again, cwd=tmp_path, PYTHONPATH=str(player_folder))
    assert "9 of 30 games are already in the journal" in done.stderr and done.returncode == 0
    assert record.read_bytes() == b"kept" and len(list((tmp_path / "out").iterdir())) == 30
    whole = arena(player_folder, "first,random", "--games", 30, "--workers", 1, "--json")
    assert figures(done.stdout) == figures(whole.stdout)
    before = journal.read_bytes()
    other = arena(player_folder, "first,random", "--seats", 3, "--resume", "journal", cwd=tmp_path)
    assert other.returncode == 2 and "--seats was “2” there and is “3” now" in other.stderr
    bare = arena(
        player_folder, "first,random", "--games", 30, "--resume", "journal", "--records", "new", cwd=tmp_path
    )
    assert "without a record in new: 30" in bare.stderr and "mean score" in bare.stdout
    assert journal.read_bytes() == before


def test_a_game_that_keeps_crashing_ends_the_run(player_folder: Path, tmp_path: Path) -> None:
    """After three crashes of a game the run ends with one sentence; the other games are counted."""
    done = arena(
        player_folder, "random,deadly", "--games", 2, "--workers", 2, "--resume", "journal", cwd=tmp_path
    )
    assert done.returncode == 1 and "games: 1, deals: 1" in done.stdout
    message = [line for line in done.stderr.splitlines() if "as good as any" not in line]
    assert len(message) == 2 and message[0].startswith("seed ")
    assert "deal 1 with the seats random, deadly has crashed its process 3 times" in message[1]
    assert (tmp_path / "journal").read_text().count("\n") == 2


def test_workers_that_cannot_start_end_the_run(player_folder: Path) -> None:
    """If worker processes exit before they are ready, the run ends without blaming a game."""
    (player_folder / "sitecustomize.py").write_text(
        "import os, sys\nif '--multiprocessing-fork' in sys.orig_argv: os._exit(1)\n"
    )
    done = arena(player_folder, "random,first", "--games", 2, "--workers", 2)
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr == "the worker processes exit as soon as they are started\n"


@pytest.mark.parametrize(
    ("player", "options", "message"),
    [
        ("raising", [], r"player raising, deal 1, .*turn [56]: the player failed: LookupError"),
        ("cheating", [], r"player cheating, deal 1, seats .*, turn [12]: R20: "),
        ("sided", ["--boards", "parterre"], r"player sided, deal 1, .*before the first turn: R9: "),
    ],
)
def test_a_faulty_player_loses(
    player_folder: Path, tmp_path: Path, player: str, options: list[str], message: str
) -> None:
    """R9, R20: a fault is reported with player, deal, turn and rule; a transcript has the traceback."""
    files = ["--records", tmp_path / "out"]
    done = arena(player_folder, f"random,{player}", "--games", 2, "--workers", 1, *options, *files)
    assert done.returncode == 0 and "100.0%" in done.stdout
    assert f"games {player} lost by a fault: 2" in done.stdout
    lines = [line for line in done.stderr.splitlines() if "as good as any" not in line]
    assert len(lines) == 3 and re.search(message, lines[1])
    trace, _ = (tmp_path / "out" / "deal-000001-AB-seat-2.jsonl").read_text().splitlines()
    assert ("misbehaving.py" in trace) == (player == "raising") and "traceback" in json.loads(trace)


def started(player_folder: Path, cwd: Path, *words: object) -> AbstractContextManager[Running]:
    """Run an arena in the background."""
    command = ["arena", "--json", "--resume", "journal", *words]
    return background(*command, cwd=cwd, PYTHONPATH=str(player_folder))


@pytest.mark.parametrize(("signalled", "status"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_no_worker_is_left_behind(
    player_folder: Path, tmp_path: Path, signalled: signal.Signals, status: int
) -> None:
    """After Ctrl-C, or a killed parent process, no worker survives, not even in an endless turn."""
    with started(player_folder, tmp_path, "--players", "random,endless", "--workers", 2) as running:
        wait_for(lambda: len(list(player_folder.glob("pid-*"))) == 2)
        assert all(blocks_sigint(worker) for worker in living(player_folder)), (
            "only the parent handles Ctrl-C"
        )
        running.send(signalled, group=signalled == signal.SIGINT)
        done = running.finish()
    assert done.returncode == status and done.stdout == ""
    assert "stopped after 0 of 100 games" in done.stderr or signalled == signal.SIGKILL
    wait_for(lambda: not living(player_folder))
    assert (tmp_path / "journal").read_text().count("\n") == 1


def test_ctrl_c_reports_the_finished_games(player_folder: Path, tmp_path: Path) -> None:
    """After Ctrl-C, the document covers the finished games, the exit status is 130, the journal is valid."""
    journal = tmp_path / "journal"
    with started(player_folder, tmp_path, "--players", "first,random", "--games", 1000000) as running:
        wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 5)
        running.send(signal.SIGINT)
        done = running.finish()
    assert done.returncode == 130
    games = json.loads(done.stdout)["games"]
    assert games >= 5 and journal.read_bytes().count(b"\n") == games + 1
    assert f"stopped after {games} of 1000000 games" in done.stderr


def test_the_sequential_test_stops_the_run(player_folder: Path, tmp_path: Path) -> None:
    """The sequential test ends after the same deal with any number of workers."""
    options = ["--games", 4000, "--sprt", "-300,0", "--json"]
    one = arena(player_folder, "first,random", *options, "--workers", 1)
    two = arena(player_folder, "first,random", *options, "--workers", 2, "--html", tmp_path / "page.html")
    assert figures(one.stdout) == figures(two.stdout)
    document = json.loads(one.stdout)
    test = document["sprt"]
    assert test["decision"] in ("H0", "H1") and test["deals"] == document["deals"] < 2000
    assert (test["elo0"], test["elo1"], test["alpha"]) == (-300, 0, 0.05)
    message = f"(deals: {test['deals']}): {test['decision']} is accepted"
    assert message in one.stderr and message in (tmp_path / "page.html").read_text(encoding="utf-8")
    short = arena(player_folder, "first,random", "--games", 2, "--sprt", "0,5", "--json", "--workers", 1)
    assert json.loads(short.stdout)["sprt"]["decision"] == "undecided" and "undecided" in short.stderr


def test_the_page_is_translated(player_folder: Path, tmp_path: Path) -> None:
    """The page is translated; an existing file is refused before any game, or replaced with --force."""
    page = ["--games", 2, "--workers", 1, "--html", tmp_path / "page.html", "--lang", "fr"]
    done = arena(player_folder, "first,random", *page)
    assert done.returncode == 0 and "joueur" in done.stdout
    assert '<html lang="fr">' in (tmp_path / "page.html").read_text(encoding="utf-8")
    again = arena(player_folder, "first,random", *page)
    assert (again.returncode, again.stdout) == (2, "") and "--force" in again.stderr
    assert arena(player_folder, "first,random", *page, "--force").returncode == 0


def test_a_broken_plug_in_is_reported_first(player_folder: Path, tmp_path: Path) -> None:
    """A broken plug-in gives one sentence and exit status 2, and no file is written."""
    for name, message in (
        ("unmade", "not today"),
        ("nothing", "pick and decide"),
        ("absent", "AttributeError"),
    ):
        files = ["--resume", "journal", "--records", "out", "--html", "page.html"]
        done = arena(player_folder, f"random,{name}", *files, cwd=tmp_path)
        assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
        assert message in done.stderr and name in done.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["player_folder"]
    played = run(
        "play", "--players", "raising,random", "--game", tmp_path / "kept", PYTHONPATH=str(player_folder)
    )
    assert played.returncode == 0 and played.stdout.count(" plays ") == 36
    faults = [line for line in played.stdout.splitlines() if "failed: the player failed: LookupError" in line]
    assert len(faults) == 16, "from its third turn on"


def call(monkeypatch: pytest.MonkeyPatch, **options: Any) -> None:
    """Call the command as a function, with two registered players."""
    from sanssouci.cli.arena import arena as command
    from sanssouci.players import registry

    known = registry._installed()["random"]
    monkeypatch.setattr(registry, "_installed", lambda: dict.fromkeys(("random", "a", "b"), known))
    command(**{"players": "a,b"} | options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": ""}, "at least two"),
        ({"players": "random"}, "at least two"),
        ({"players": "random,chess"}, "no player “chess”"),
        (
            {"players": "a,b,a", "seats": 4},
            "“a” is named twice; if that is intended, name a player for each of the 4 seats",
        ),
        ({"players": "random,random"}, "at least two different"),
        ({"players": "random,a@0"}, "has no valid budget"),
        ({"players": "random,a@-1s"}, "has no valid budget"),
        ({"players": "a,,b"}, "no player “”"),
        ({"games": 0}, "--games: 0"),
        ({"games": -5}, "--games: -5"),
        ({"games": 10**13}, "at most"),
        ({"edition": "deluxe"}, "ravensburger, imperial"),
        ({"boards": "nowhere.toml"}, "nowhere.toml"),
        ({"seed": "lucky"}, "lucky"),
        ({"seed": ""}, "not a seed"),
        ({"time": 1.0, "rollouts": 5}, "cannot be combined"),
        ({"time": 0.0}, "more than 0"),
        ({"time": float("nan")}, "more than 0"),
        ({"time": float("inf")}, "more than 0"),
        ({"rollouts": 0}, "1 or more"),
        ({"sprt": "10,0"}, "the smaller first"),
        ({"sprt": "5"}, "“5” is not valid"),
        ({"sprt": "0,1,2"}, "is not valid"),
        ({"sprt": "0,nan"}, "is not valid"),
        ({"sprt": "0,99999"}, "is not valid"),
        ({"sprt": "0,5", "players": "a,b,random"}, "two players, not 3"),
        ({"workers": 0}, "1 to 1024"),
        ({"workers": 5000}, "1 to 1024"),
        ({"lang": "xx"}, "en, de, fr, es"),
        ({"html": Path("nowhere/page.html")}, "nowhere does not exist"),
        ({"resume": Path("nowhere/journal")}, "nowhere does not exist"),
        ({"resume": Path("/")}, "not a readable file"),
        ({"records": Path("/dev/null/x")}, "cannot be written"),
        ({"records": Path("/dev/null")}, "is a file"),
        ({"records": Path("/dev/null/x"), "resume": Path("journal")}, "cannot be written"),
    ],
)
def test_arena_refuses_in_one_sentence(
    options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Invalid options give one clear sentence, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as caught:
        call(monkeypatch, **options)
    assert message in str(caught.value) and str(caught.value).isprintable()
    assert list(tmp_path.iterdir()) == []


def test_arena_usage_errors(tmp_path: Path) -> None:
    """R1, R34: refusals of the rules and usage errors exit with status 2."""
    both = ["--players", "random,random"]
    assert "two different" in usage_error("arena", *both)
    assert "mindestens zwei" in usage_error("arena", "--lang", "de")
    assert "--games" in usage_error("arena", "--games", "many")
