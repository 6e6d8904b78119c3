"""``play``, ``replay`` and ``rules``: their output without a terminal."""

import json
from pathlib import Path

from ..playthrough import RECORDS
from .command import run, usage_error


def test_play_shows_a_game_and_saves_a_verified_record(tmp_path: Path) -> None:
    """Every turn is shown in 80 columns, with the seed at the end; the record is verified."""
    watch = ["play", "--players", "random,random,random", "--edition", "imperial"]
    options = ["--expansions", "rewards,wild_boar", "--save", "game.json", "--game", "kept.json"]
    done = run(*watch, *options, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stdout.count(" plays ") == 54 and "The seed was" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert run("verify", "--seed", "game.json", cwd=tmp_path).returncode == 0
    assert "--force" in usage_error("play", "--save", "game.json", cwd=tmp_path)
    assert "does not exist" in usage_error("play", "--save", "nowhere/game.json", cwd=tmp_path)


def test_play_with_a_seed_is_the_same_game_again(tmp_path: Path) -> None:
    """The seed determines the deal and the players' choices."""

    def output(seed: int) -> str:
        options = ["--players", "random,random", "--game", tmp_path / "kept.json", "--force"]
        return run("play", "--seed", seed, *options).stdout

    assert output(3) == output(3) != output(4)


def test_play_refuses_in_one_sentence(tmp_path: Path) -> None:
    """Invalid players, names and options give one sentence before the game starts."""
    for arguments, message in (
        (["--players", "person,chess"], "the players are person, greedy, level:1, level:2"),
        (["--players", "cmd:,person"], "cmd: needs a program"),
        (["--players", "cmd:'sh,person"], "is not closed"),
        (["--players", "cmd:no-such-bot,person"], "no-such-bot cannot be started"),
        (["--players", "cmd:no[/such]bot,person"], "no[/such]bot cannot be started"),
        (["--players", "person", "--limit", "0"], "more than 0"),
        (["--names", "A\x1b[2J"], "printable"),
        (["--resume", "--game", str(tmp_path / "none.json")], "no such file"),
        (["--lang", "xx"], "en, de, fr, es"),
        (["--resume", "--seats", "3"], "leave out"),
    ):
        assert message in usage_error("play", *arguments, cwd=tmp_path)
    assert "R1: " in usage_error("play", "--seats", 5, "--lang", "de")


def test_the_language_comes_from_the_option_then_the_environment() -> None:
    """The language comes from --lang, LC_ALL, LC_MESSAGES or LANG; the default is English."""
    assert "R20  " in run("rules", "R20", "--lang", "de").stdout
    assert run("rules", "R20", "--lang", "de").stdout == run("rules", "R20", LANG="de_AT.UTF-8").stdout
    assert run("rules", "R20", LANG="xx_XX").stdout == run("rules", "R20", "--lang", "en").stdout
    assert (
        run("rules", "R20", "--lang", "fr", LC_ALL="de_DE").stdout
        != run("rules", "R20", LC_ALL="de_DE").stdout
    )


def test_rules_shows_all_rules_or_one() -> None:
    """All rules, R1 to R38, fit in 80 columns with drawings; an invalid number is refused."""
    whole = run("rules", "--lang", "es", "--edition", "imperial").stdout
    for number in range(1, 39):
        assert f"R{number}  " in whole
    assert max(map(len, whole.splitlines())) <= 80 and "espiral de hierbas" in whole
    assert "[%]" in run("rules", "R20").stdout and "[%]" not in run("rules", "20", "--plain").stdout
    for bad in ("R39", "R0", "x", "R2 0"):
        assert "R1" in usage_error("rules", bad)


def test_replay_reads_commands_without_a_terminal() -> None:
    """Without a terminal, replay reads n, p, g and q from lines; --turn, --seat and --auto work."""
    record = RECORDS / "imperial-rewards-boar-2.json"
    done = run("replay", record, "--plain", "--turn", 3, input="n\np\np\ng 36\nx\nq\n")
    turns = [
        line
        for line in done.stdout.splitlines()
        if line.startswith("Turn ") or "): Turn " in line or "quit: Turn" in line
    ]
    assert [text.split("Turn ")[1].split(" ")[0] for text in turns] == ["3", "4", "3", "2", "36"]
    whole = run("replay", record, "--auto", "0.001").stdout
    assert "Turn 36 of 36" in whole and "wins" in whole
    first = json.loads(record.read_bytes())["setup"]
    seen = run("replay", record, "--plain", "--seat", 1, "--turn", 1, input="q\n").stdout
    assert f"({first['missions'][0][0]})" in seen
    for arguments, message in (
        (["--turn", 99], "0 to 36"),
        (["--seat", 3], "1 to 2"),
        (["--turn", -1], "0 to 36"),
    ):
        assert message in usage_error("replay", record, *arguments)
    assert "no such file" in usage_error("replay", "nowhere.json")
