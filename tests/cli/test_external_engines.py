"""External engines on the command line: only the typed command is started."""

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
from .command import background, run, usage_error, wait_for

ROOT = Path(__file__).parent.parent.parent
PYTHON = f'"{sys.executable}" -S'


def engine_command(mode: str, *more: object) -> str:
    """The option value for a hostile engine."""
    return "cmd:" + " ".join([PYTHON, str(HOSTILE), mode, *map(str, more)])


def touch_command(created: Path) -> str:
    """An engine command that would create a file."""
    return f"cmd:touch {created}"


def test_engine_commands_are_parsed() -> None:
    """Quotes around the command or a word are understood, and commas in quotes do not split the list."""
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
    for text, message in (
        ("cmd:", "needs a program"),
        ('cmd:""', "needs a program"),
        ("cmd:'x", "not closed"),
    ):
        with pytest.raises(UserError, match=message):
            read_typed(text, 3.0)


def test_a_journal_never_starts_an_engine(tmp_path: Path) -> None:
    """Engine commands in a journal are compared with the typed ones, and only typed ones are started."""
    created = tmp_path / "created"
    words = ["--games", 2, "--seed", 1, "--resume", "journal", "--workers", 1]
    assert run("arena", "--players", "random,greedy", *words, cwd=tmp_path).returncode == 0
    journal = tmp_path / "journal"
    journal.write_text(journal.read_text().replace('"greedy"', json.dumps(touch_command(created))))
    message = usage_error("arena", "--players", "random,greedy", *words, cwd=tmp_path)
    assert "--players was “random, cmd:touch" in message and not created.exists()
    good = engine_command("good-bye", tmp_path / "heard")
    options = [
        "--games",
        2,
        "--seed",
        1,
        "--resume",
        "other",
        "--workers",
        1,
        "--players",
        f"random,{good}",
    ]
    for games in (2, 4):
        done = run("arena", *options, "--games", games, "--json", cwd=tmp_path)
        document = json.loads(done.stdout)
        assert document["games"] == games and [player["faults"] for player in document["players"]] == [0, 0]
    assert (tmp_path / "heard").exists(), "the engine received quit"


def test_a_saved_game_never_starts_an_engine(tmp_path: Path) -> None:
    """A saved game with an engine must be resumed with the same --players; its own command is not run."""
    created = tmp_path / "created"
    kept = ["--game", "kept.json"]
    left = run("play", "--players", "person,random", "--plain", *kept, cwd=tmp_path, input="quit\n")
    assert left.returncode == 0
    file = tmp_path / "kept.json"
    file.write_text(file.read_text().replace('"player": "random"', f'"player": "{touch_command(created)}"'))
    message = usage_error("play", "--resume", *kept, cwd=tmp_path)
    assert f"name it again: --players person,{touch_command(created)}" in message
    message = usage_error("play", "--resume", "--players", "person,random", *kept, cwd=tmp_path)
    assert "name the same players again" in message
    done = run("play", "--resume", XDG_STATE_HOME=str(tmp_path), cwd=tmp_path)
    assert done.returncode == 2 and not created.exists()


def test_a_game_with_an_engine_is_resumed(tmp_path: Path) -> None:
    """The suggested resume command repeats the engine, and resuming starts it."""
    good = engine_command("good-bye", tmp_path / "heard")
    words = ["--players", f"person,{good}", "--game", "kept.json", "--plain"]
    left = run("play", *words, cwd=tmp_path, input="quit\n")
    assert "sanssouci play --resume --game kept.json --players 'person,cmd:" in left.stderr
    again = run("play", "--resume", *words, cwd=tmp_path, input="quit\n")
    assert again.returncode == 0 and (tmp_path / "heard").exists()


def test_records_never_start_an_engine(tmp_path: Path) -> None:
    """``replay`` and ``verify`` never start an engine that a record or a finished game names."""
    created = tmp_path / "created"
    record = json.loads((RECORDS / "ravensburger-base-2.json").read_bytes())
    record["seats"] = [{"name": touch_command(created), "player": touch_command(created)}] * 2
    (tmp_path / "record.json").write_text(json.dumps(record))
    assert run("verify", "record.json", cwd=tmp_path).returncode == 0
    assert run("replay", "record.json", "--auto", 0.001, cwd=tmp_path).returncode == 0
    good = engine_command("good-bye", tmp_path / "heard")
    options = [
        "--players",
        f"random,{good}",
        "--names",
        f"{touch_command(created)[:30]},B",
        "--game",
        "kept.json",
    ]
    assert run("play", *options, "--save", "saved.json", cwd=tmp_path).returncode == 0
    seats = json.loads((tmp_path / "saved.json").read_bytes())["seats"]
    assert (
        seats[1]["player"].startswith("cmd:")
        and run("verify", "--seed", "saved.json", cwd=tmp_path).returncode == 0
    )
    kept = (tmp_path / "kept.json").read_text()
    (tmp_path / "kept.json").write_text(
        kept.replace(json.dumps(seats[1]["player"]), json.dumps(touch_command(created)))
    )
    assert run("replay", "kept.json", "--auto", 0.001, cwd=tmp_path).returncode == 0
    assert not created.exists()


def test_only_arena_and_play_start_engines(tmp_path: Path) -> None:
    """Other commands treat an engine command as an unknown player name."""
    created = tmp_path / "created"
    for words in (["simulate", "--players"], ["boards", "balance", "--players"], ["bot"]):
        assert "is only a name here" in usage_error(*words, touch_command(created))
    assert not created.exists()
    for words in (
        ["arena", "--players", f"random,{touch_command(created)}"],
        ["play", "--players", f"person,{touch_command(created)}"],
    ):
        done = run(*words, cwd=tmp_path, XDG_STATE_HOME=str(tmp_path))
        assert done.returncode == 2 and "cannot be created: the program" in done.stderr
        assert [path.name for path in tmp_path.iterdir()] == ["created"], (
            "the engine ran, and no game is saved"
        )
        created.unlink()


def test_a_fault_is_reported_and_explained(tmp_path: Path) -> None:
    """Document, page and table count faults with reasons; records and transcripts are in the folder."""
    words = ["--players", f"random,{engine_command('illegal')}", "--games", 4, "--seed", 1, "--workers", 1]
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


def test_a_fault_is_in_the_journal(tmp_path: Path) -> None:
    """A resumed run counts the faults of the first run."""
    words = [
        "--players",
        f"random,{engine_command('garbage')}",
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
def test_no_engine_outlives_the_arena(tmp_path: Path, signalled: signal.Signals) -> None:
    """After Ctrl-C or kill -9, neither engines nor their child processes survive."""
    pids = tmp_path / "pids"
    players = f"random,{engine_command('children-never', pids)}"
    words = ["arena", "--players", players, "--limit", 1000, "--workers", 1]
    with background(*words, cwd=tmp_path) as running:
        wait_for(lambda: pids.exists() and pids.read_text().count("\n") == 2)
        found = [int(pid) for pid in pids.read_text().split()]
        assert all(map(is_running, found))
        running.send(signalled)
        assert running.finish().returncode == (130 if signalled == signal.SIGINT else -9)
    wait_until_gone(found)


def reset_sigint() -> None:
    """Restore the default handler: processes started in the background inherit an ignored SIGINT."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def test_ctrl_c_during_an_engine_turn_saves_the_game(tmp_path: Path) -> None:
    """Ctrl-C on a terminal saves the game and ends the engine's processes."""
    pids = tmp_path / "pids"
    words = [
        "play",
        "--players",
        f"random,{engine_command('children-never', pids)}",
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
        preexec_fn=reset_sigint,
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


def test_play_continues_after_an_engine_fault(tmp_path: Path) -> None:
    """After a fault greedy decides; a crashed engine is restarted, but not forever."""
    words = [
        "--players",
        f"{engine_command('exit')},random",
        "--plain",
        "--game",
        "kept.json",
        "--save",
        "game.json",
    ]
    done = run("play", *words, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.count(" plays ") == 36
    message = [line for line in done.stdout.splitlines() if "greedy decides instead" in line]
    assert (
        len(message) == 3
        and "the program exited with status 1" in message[0]
        and "out of ideas" in message[0]
    )
    assert run("verify", "--seed", "game.json", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("example", ["python3 examples/eager.py", "perl examples/eager.pl"])
def test_the_examples_play(example: str) -> None:
    """The Python and Perl examples play all variants without a fault and beat random players."""
    assert shutil.which(example.split(maxsplit=1)[0]), "the interpreter of the example is not installed"
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
    """Each example has at most 45 lines and needs only its standard library."""
    for name in ("eager.py", "eager.pl"):
        assert len((ROOT / "examples" / name).read_text().splitlines()) <= 45
    code = (ROOT / "examples" / "eager.py").read_text()
    assert [line for line in code.splitlines() if line.startswith(("import", "from"))] == [
        "import json",
        "import sys",
    ]
