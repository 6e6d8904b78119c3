"""Leaving and resuming a terminal game, passing the keyboard, and replaying a game."""

import json
import re
import signal
from pathlib import Path

import pytest

from sanssouci.locale import translate

from ..playthrough import RECORDS
from .player import Player
from .robot import Start


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_killed_game_is_resumed(end: signal.Signals, tmp_path: Path, start: Start) -> None:
    """After any signal, --resume continues after the last confirmed turn."""
    robot = start("play", "--plain", "--names", "Ada", "--seed", "8", "--pause", "0", folder=tmp_path)
    player = Player(robot)
    player.play(turns=5)
    robot.read_until(player.prompts)
    robot.type(robot.choices()[0])
    robot.child.kill(end)
    robot.read_until([])
    again = start("play", "--plain", "--resume", "--pause", "0", folder=tmp_path)
    resumed = Player(again)
    again.read_until(resumed.prompts[:1])
    assert "after turn 10" in again.seen
    resumed.turns = 5
    again.type(again.choices()[-1])
    resumed.play()
    assert resumed.finish()


def test_leaving_between_the_picks_loses_nothing(tmp_path: Path, start: Start) -> None:
    """R9, R12: a picked garden side is kept when the game is resumed."""
    arguments = ["play", "--plain", "--names", "Ada", "--seed", "8", "--expansions", "rewards"]
    robot = start(*arguments, folder=tmp_path)
    player = Player(robot)
    robot.read_until([player.side])
    robot.type("2")
    robot.read_until([player.side])
    robot.type("quit")
    robot.read_until([])
    assert "--resume" in robot.seen
    again = start("play", "--plain", "--resume", folder=tmp_path)
    again.read_until([player.side])
    assert "reward board" in again.seen and "garden." not in again.seen.split("side of your")[-1]


def test_the_game_that_was_left_last_is_resumed(tmp_path: Path, start: Start) -> None:
    """Of two games, --resume opens the one left last, not the one started last."""
    first = start("play", "--plain", "--names", "First", "--seed", "1", folder=tmp_path)
    first.read_until([translate("pick.ask", sides=2)])
    second = start("play", "--plain", "--names", "Second", "--seed", "2", folder=tmp_path)
    second.read_until([translate("pick.ask", sides=2)])
    for robot in (second, first):
        robot.type("quit")
        robot.read_until([])
    again = start("play", "--plain", "--resume", folder=tmp_path)
    again.read_until([translate("pick.ask", sides=2)])
    assert "First" in again.seen


def test_a_resumed_file_never_starts_an_engine(tmp_path: Path, start: Start) -> None:
    """A saved engine command is not started; the user must type it again."""
    robot = start("play", "--plain", "--names", "Ada", "--game", str(tmp_path / "g.json"), folder=tmp_path)
    robot.read_until([translate("pick.ask", sides=2)])
    document = json.loads((tmp_path / "g.json").read_bytes())
    document["seats"][1]["player"] = f"cmd:touch {tmp_path}/ran"
    (tmp_path / "g.json").write_text(json.dumps(document))
    again = start("play", "--resume", "--game", str(tmp_path / "g.json"), folder=tmp_path)
    again.read_until([])
    assert "never started from a file" in again.seen and not (tmp_path / "ran").exists()


def test_both_people_see_the_other_turn(tmp_path: Path, start: Start) -> None:
    """R14: after the screen is cleared, the other's turn is shown, but not their drawn card."""
    arguments = ["play", "--plain", "--players", "person,person", "--names", "Ada,Berta", "--seed", "3"]
    robot = start(*arguments, folder=tmp_path)
    pass_prompts = {name: translate("terminal.pass_keyboard", name=name) for name in ("Ada", "Berta")}
    for name in ("Ada", "Berta"):
        robot.read_until([pass_prompts[name]])
        robot.type("")
        robot.read_until([translate("pick.ask", sides=2)])
        assert translate("terminal.help")[:30] in robot.seen
        robot.type("1")
    robot.read_until([pass_prompts["Ada"]])
    robot.type("")
    Player(robot, "Ada").play(turns=1)
    robot.read_until([pass_prompts["Berta"]])
    robot.type("")
    robot.read_until([translate("ask.card", name="Berta")])
    assert "Ada plays the card" in robot.seen and "Ada draws" not in robot.seen
    Player(robot, "Berta").finish_turn()
    robot.read_until([pass_prompts["Ada"]])
    robot.type("what?")
    robot.read_until([pass_prompts["Ada"]])
    robot.type("quit")
    robot.read_until([])
    assert "Hand:" not in robot.seen and "--resume" in robot.seen, "leaving does not show the other's hand"


def test_replay_by_keys(tmp_path: Path, start: Start) -> None:
    """n, p, arrows, g with a number and q work in a real terminal, also typed ahead."""
    record = RECORDS / "imperial-rewards-boar-2.json"
    robot = start("replay", str(record), folder=tmp_path)
    keys = translate("replay.keys")

    def position() -> str:
        robot.child.expect(re.escape(keys))
        found = re.search(r"Turn (\d+) of 36", str(robot.child.before))
        return found[1] if found else ""

    assert position() == "0"
    for key, at in (("n", "1"), ("\x1b[C", "2"), ("p", "1"), ("\x1b[D", "0"), (" ", "1")):
        robot.child.send(key)
        assert position() == at
    robot.child.send("nnn")
    assert [position() for _ in range(3)] == ["2", "3", "4"]
    robot.child.send("z")
    position()
    robot.child.send("g")
    robot.read_until(["g"])
    robot.type("36")
    assert position() == "36"
    robot.child.send("q")
    assert robot.read_until([]) == -1


def test_a_finished_game_can_be_replayed(tmp_path: Path, start: Start) -> None:
    """A saved game can be replayed once it is over, but not before."""
    game = tmp_path / "game.json"
    robot = start(
        "play",
        "--plain",
        "--names",
        "Ada",
        "--seed",
        "8",
        "--pause",
        "0",
        "--game",
        str(game),
        folder=tmp_path,
    )
    player = Player(robot)
    player.play(turns=1)
    early = start("replay", str(game), "--plain", folder=tmp_path)
    early.read_until([])
    assert "not over" in early.seen
    player.play()
    seen = player.finish()
    assert "sanssouci replay" in seen and "sanssouci analyse" in seen and "Missions of" in seen
    again = start("replay", str(game), "--plain", "--turn", "36", folder=tmp_path)
    again.read_until([translate("replay.keys") + ":"])
    assert "wins" in again.seen or "share" in again.seen


def test_hands_are_covered_between_two_people(tmp_path: Path, start: Start) -> None:
    """R11, R12: after the screen is cleared, the other's hand and missions are not shown."""
    arguments = ["play", "--players", "person,person", "--names", "Ada,Berta", "--seed", "3"]
    robot = start(*arguments, folder=tmp_path)
    pass_prompts = {name: translate("terminal.pass_keyboard", name=name) for name in ("Ada", "Berta")}
    side = translate("pick.ask", sides=2)
    for name in ("Ada", "Berta"):
        robot.read_until([pass_prompts[name]])
        robot.type("")
        robot.read_until([side])
        robot.type("1")
    robot.read_until([pass_prompts["Ada"]])
    robot.type("")
    ada = Player(robot, "Ada")
    ada.play(turns=1)
    robot.read_until([pass_prompts["Berta"]])
    after = robot.seen[robot.seen.rindex("\x1b[2J") :]
    assert "Hand:" not in after and "Missions:" not in after
    robot.type("")
    robot.read_until([translate("ask.card", name="Berta")])
    assert robot.seen.count("Hand:") == 1
