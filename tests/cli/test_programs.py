"""Programs as players on the command line: typed they play; named anywhere else they are never run."""

import json
import os
import shutil
import signal
import sys
from pathlib import Path

import pexpect
import pytest

from sanssouci.cli.player_options import read_typed, split_list
from sanssouci.locale import UserError
from sanssouci.players import ExternalEngine

from ..players.test_external_engine import HOSTILE, wait_until_gone
from ..playthrough import RECORDS
from ..processes import is_running
from .command import background, mistake, run, wait_for

ROOT = Path(__file__).parent.parent.parent
PYTHON = f'"{sys.executable}" -S'


def typed(mode: str, *more: object) -> str:
    """A hostile program as a person types it."""
    return "cmd:" + " ".join([PYTHON, str(HOSTILE), mode, *map(str, more)])


def leaves(mark: Path) -> str:
    """A program that would leave a mark."""
    return f"cmd:touch {mark}"


def test_what_is_typed_becomes_a_program() -> None:
    """Words, quotes around all of them or around one; commas in quotes divide nothing."""
    bot = ExternalEngine(("python3", "bot.py", "-x"), 3.0)
    for text in ("cmd:python3 bot.py -x", 'cmd:"python3 bot.py -x"', "cmd: 'python3 bot.py -x' "):
        assert read_typed(f"random,{text},greedy", 3.0) == ("random", bot, "greedy")
    assert read_typed('cmd:"a b" c', 3.0) == (ExternalEngine(("a b", "c"), 3.0),)
    assert read_typed("cmd:\"bot 'a b' 1,2\",random", 3.0)[0] == ExternalEngine(("bot", "a b", "1,2"), 3.0)
    assert split_list("a, b,,\"c,d\",e'f,'g") == ["a", "b", "", '"c,d"', "e'f,'g"]
    assert split_list("it\\'s,b") == ["it\\'s", "b"] and split_list('"a\\"b,c",d') == ['"a\\"b,c"', "d"]
    assert read_typed("cmd:echo it\\'s,greedy", 3.0) == (ExternalEngine(("echo", "it's"), 3.0), "greedy")
    for words in (
        ("a b",),
        ("'a'",),
        ("bot", "1,2", 'it\'s, "so"', "", "\\"),
        ("a", "b c"),
        ("x[/red]", "$HOME"),
    ):
        assert read_typed(f"random,{ExternalEngine(words, 3.0)}", 3.0) == (
            "random",
            ExternalEngine(words, 3.0),
        )
    for text, said in (("cmd:", "needs a program"), ('cmd:""', "needs a program"), ("cmd:'x", "not closed")):
        with pytest.raises(UserError, match=said):
            read_typed(text, 3.0)


def test_a_journal_runs_no_program(tmp_path: Path) -> None:
    """What it names is compared with what is typed; only that is run."""
    mark = tmp_path / "mark"
    words = ["--games", 2, "--seed", 1, "--resume", "journal", "--workers", 1]
    assert run("arena", "--players", "random,greedy", *words, cwd=tmp_path).returncode == 0
    journal = tmp_path / "journal"
    journal.write_text(journal.read_text().replace('"greedy"', json.dumps(leaves(mark))))
    said = mistake("arena", "--players", "random,greedy", *words, cwd=tmp_path)
    assert "--players was “random, cmd:touch" in said and not mark.exists()
    good = typed("good-bye", tmp_path / "heard")
    begun = ["--games", 2, "--seed", 1, "--resume", "other", "--workers", 1, "--players", f"random,{good}"]
    for games in (2, 4):
        done = run("arena", *begun, "--games", games, "--json", cwd=tmp_path)
        document = json.loads(done.stdout)
        assert document["games"] == games and [player["faults"] for player in document["players"]] == [0, 0]
    assert (tmp_path / "heard").exists(), "it was told that there is nothing more"


def test_a_kept_game_runs_no_program(tmp_path: Path) -> None:
    """It says who must be typed again; the same program typed again plays on, another one is refused."""
    mark = tmp_path / "mark"
    kept = ["--game", "kept.json"]
    left = run("play", "--players", "person,random", "--plain", *kept, cwd=tmp_path, input="quit\n")
    assert left.returncode == 0
    file = tmp_path / "kept.json"
    file.write_text(file.read_text().replace('"player": "random"', f'"player": "{leaves(mark)}"'))
    said = mistake("play", "--resume", *kept, cwd=tmp_path)
    assert f"name it again: --players person,{leaves(mark)}" in said
    said = mistake("play", "--resume", "--players", "person,random", *kept, cwd=tmp_path)
    assert "name the same players again" in said
    done = run("play", "--resume", XDG_STATE_HOME=str(tmp_path), cwd=tmp_path)
    assert done.returncode == 2 and not mark.exists()


def test_a_game_with_a_program_goes_on_when_it_is_typed_again(tmp_path: Path) -> None:
    """The command to go on names it; the file is as before a name."""
    good = typed("good-bye", tmp_path / "heard")
    words = ["--players", f"person,{good}", "--game", "kept.json", "--plain"]
    left = run("play", *words, cwd=tmp_path, input="quit\n")
    assert "sanssouci play --resume --game kept.json --players 'person,cmd:" in left.stderr
    again = run("play", "--resume", *words, cwd=tmp_path, input="quit\n")
    assert again.returncode == 0 and (tmp_path / "heard").exists()


def test_records_run_no_program(tmp_path: Path) -> None:
    """replay and verify read a record whose seats are called like programs, and a kept game that is over."""
    mark = tmp_path / "mark"
    record = json.loads((RECORDS / "ravensburger-base-2.json").read_bytes())
    record["seats"] = [{"name": leaves(mark), "player": leaves(mark)}] * 2
    (tmp_path / "record.json").write_text(json.dumps(record))
    assert run("verify", "record.json", cwd=tmp_path).returncode == 0
    assert run("replay", "record.json", "--auto", 0.001, cwd=tmp_path).returncode == 0
    good = typed("good-bye", tmp_path / "heard")
    options = ["--players", f"random,{good}", "--names", f"{leaves(mark)[:30]},B", "--game", "kept.json"]
    assert run("play", *options, "--save", "saved.json", cwd=tmp_path).returncode == 0
    seats = json.loads((tmp_path / "saved.json").read_bytes())["seats"]
    assert (
        seats[1]["player"].startswith("cmd:")
        and run("verify", "--seed", "saved.json", cwd=tmp_path).returncode == 0
    )
    kept = (tmp_path / "kept.json").read_text()
    (tmp_path / "kept.json").write_text(
        kept.replace(json.dumps(seats[1]["player"]), json.dumps(leaves(mark)))
    )
    assert run("replay", "kept.json", "--auto", 0.001, cwd=tmp_path).returncode == 0
    assert not mark.exists()


def test_only_arena_and_play_run_programs(tmp_path: Path) -> None:
    """Everywhere else it is a name that no player has; and there it is run, which a mark shows."""
    mark = tmp_path / "mark"
    for words in (["simulate", "--players"], ["boards", "balance", "--players"], ["bot"]):
        assert "is only a name here" in mistake(*words, leaves(mark))
    assert not mark.exists()
    for words in (
        ["arena", "--players", f"random,{leaves(mark)}"],
        ["play", "--players", f"person,{leaves(mark)}"],
    ):
        done = run(*words, cwd=tmp_path, XDG_STATE_HOME=str(tmp_path))
        assert done.returncode == 2 and "cannot be created: the program" in done.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["mark"], "run, and no game is kept"
        mark.unlink()


def test_a_loss_is_told_and_explained(tmp_path: Path) -> None:
    """Figures, page and table say how many and why; record and transcript lie in the folder."""
    words = ["--players", f"random,{typed('illegal')}", "--games", 4, "--seed", 1, "--workers", 1]
    done = run("arena", *words, "--records", "out", "--html", "page.html", "--json", cwd=tmp_path)
    assert done.returncode == 0
    good, bad = json.loads(done.stdout)["players"]
    assert (good["win_share"], good["faults"], good["reasons"]) == (1, 0, [])
    assert (bad["win_share"], bad["faults"], bad["mean_score"]) == (0, 4, 0) and len(bad["reasons"]) == 3
    assert bad["reasons"][0].startswith(f"player {bad['player']}, deal 1, seats random, cmd:")
    assert "seat 2, turn 6: R20: " in bad["reasons"][0]
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    for text in (done.stderr, page):
        assert "lost by a fault: 4" in text and "turn 6: R20: " in text
    assert sorted(path.name for path in (tmp_path / "out").iterdir())[:4] == [
        "deal-000001-AB-seat-2.jsonl",
        "deal-000001-AB.json",
        "deal-000001-BA-seat-1.jsonl",
        "deal-000001-BA.json",
    ]
    lines = (tmp_path / "out" / "deal-000001-AB-seat-2.jsonl").read_text().splitlines()
    assert json.loads(lines[0])["to"]["type"] == "hello" and "R20" in json.loads(lines[-1])["fault"]["reason"]
    record = tmp_path / "out" / "deal-000001-AB.json"
    assert json.loads(record.read_bytes())["seats"][1]["fault"]["turn"] == 6
    assert run("verify", "--seed", record).returncode == 0
    again = run("arena", *words, "--records", "out", "--force", cwd=tmp_path)
    assert again.returncode == 0 and max(map(len, again.stdout.splitlines())) <= 80


def test_a_loss_is_in_the_journal(tmp_path: Path) -> None:
    """A run that goes on counts it as the run did that played it."""
    words = [
        "--players",
        f"random,{typed('garbage')}",
        "--seed",
        1,
        "--resume",
        "journal",
        "--workers",
        1,
        "--json",
    ]
    first = json.loads(run("arena", *words, "--games", 2, cwd=tmp_path).stdout)
    again = json.loads(run("arena", *words, "--games", 2, cwd=tmp_path).stdout)
    assert first == again and again["players"][1]["faults"] == 2
    assert "which is not a message" in again["players"][1]["reasons"][0]


@pytest.mark.parametrize("signalled", [signal.SIGINT, signal.SIGKILL])
def test_no_program_outlives_the_arena(tmp_path: Path, signalled: signal.Signals) -> None:
    """Ctrl-C, or the arena killed without a word, while programs and their children wait for ever."""
    pids = tmp_path / "pids"
    players = f"random,{typed('children-never', pids)}"
    words = ["arena", "--players", players, "--limit", 1000, "--workers", 1]
    with background(*words, cwd=tmp_path) as running:
        wait_for(lambda: pids.exists() and pids.read_text().count("\n") == 2)
        found = [int(pid) for pid in pids.read_text().split()]
        assert all(map(is_running, found))
        running.send(signalled)
        assert running.finish().returncode == (130 if signalled == signal.SIGINT else -9)
    wait_until_gone(found)


def hear_ctrl_c() -> None:
    """Where tests run in the background Ctrl-C is ignored, and so it would be in the command."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_while_a_program_thinks_keeps_the_game(tmp_path: Path) -> None:
    """At a real terminal: the game is kept, and nothing of the program is left."""
    pids = tmp_path / "pids"
    words = [
        "play",
        "--players",
        f"random,{typed('children-never', pids)}",
        "--limit",
        "1000",
        "--pause",
        "0",
    ]
    environment = os.environ | {"LANG": "en_GB.UTF-8", "LC_ALL": "", "TERM": "xterm", "HOME": str(tmp_path)}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "sanssouci", *words, "--game", "kept.json"],
        cwd=str(tmp_path),
        env=environment,
        encoding="utf-8",
        timeout=60,
        preexec_fn=hear_ctrl_c,
    )
    try:
        wait_for(lambda: pids.exists() and pids.read_text().count("\n") == 2)
        child.sendintr()
        child.expect("The game is saved")
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)
    assert child.exitstatus == 0
    wait_until_gone([int(pid) for pid in pids.read_text().split()])


def test_a_fault_at_the_terminal_is_told_and_the_game_goes_on(tmp_path: Path) -> None:
    """Every seat has its 18 turns; a program that ended is started again, but not for ever."""
    words = ["--players", f"{typed('exit')},random", "--plain", "--game", "kept.json", "--save", "game.json"]
    done = run("play", *words, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.count(" plays ") == 36
    said = [line for line in done.stdout.splitlines() if "greedy decides instead" in line]
    assert len(said) == 3 and "the program exited with status 1" in said[0] and "out of ideas" in said[0]
    assert run("verify", "--seed", "game.json", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("example", ["python3 examples/eager.py", "perl examples/eager.pl"])
def test_the_examples_play(example: str) -> None:
    """In both languages, in every variant: no fault, and better than chance."""
    assert shutil.which(example.split(maxsplit=1)[0]), (
        "what the examples need is installed wherever they are tested"
    )
    words = ["--games", 8, "--seed", 1, "--workers", 1, "--json", "--players", f'cmd:"{example}",random']
    for options in (
        [],
        ["--edition", "imperial", "--expansions", "rewards,wild_boar", "--boards", "parterre"],
    ):
        document = json.loads(run("arena", *words, *options, cwd=ROOT).stdout)
        first, second = document["players"]
        assert first["player"] == f"cmd:{example}" and (first["faults"], second["faults"]) == (0, 0)
        assert first["games"] == 8 and first["win_share"] >= 0.75


def test_an_example_has_about_forty_lines() -> None:
    """And needs nothing that does not come with its language."""
    for name in ("eager.py", "eager.pl"):
        assert len((ROOT / "examples" / name).read_text().splitlines()) <= 45
    code = (ROOT / "examples" / "eager.py").read_text()
    assert [line for line in code.splitlines() if line.startswith(("import", "from"))] == [
        "import json",
        "import sys",
    ]
