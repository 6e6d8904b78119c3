"""Whole games typed at a real pseudo-terminal, in every language, with wrong input at every prompt."""

import json
import re
import signal
from pathlib import Path

import pytest

from sanssouci.locale import LANGUAGES, say
from sanssouci.notation import read_record, verify
from sanssouci.terminal.staging import Stage

from ..playthrough import RECORDS
from .robot import Robot, Start

WRONG = [
    *("", " ", "0x", "99", "-1", "z9", "a7", "j1", "36@", "36@2-g3/g3/g3", "zz@0-a2", "@", "é", "\t", "true"),
    *("yes please no", "q1", "a@0-a2~x", "why", "why z9", "x" * 300, "../../etc/passwd", "[bold]", "{name}"),
]
STAGES = {
    Stage.CARD: "ask.card",
    Stage.SPACE: "ask.space",
    Stage.SQUARE: "ask.square",
    Stage.BOAR: "ask.boar",
    Stage.NOBLE: "ask.noble",
    Stage.CONFIRM: "ask.confirm",
}


class Player:
    """Plays a whole game by what the screen says."""

    def __init__(self, robot: Robot, name: str = "Ada") -> None:
        self.robot = robot
        language = robot.language
        self.prompts = [say(key, language, name=name) for key in STAGES.values()]
        self.side = say("pick.ask", language, sides=2)
        self.yes = say("command.yes", language).split()[0]
        self.met: set[Stage] = set()
        self.turns = 0

    def play(self, turns: int = 18, wrong: list[str] | None = None) -> None:
        """Play so many turns; at every kind of prompt type all that is wrong first, once."""
        for _ in range(400):
            if self.turns == turns:
                return
            found = self.robot.read_until([*self.prompts, self.side])
            assert found >= 0, self.robot.seen
            if found == len(self.prompts):
                self.robot.type("2")
            else:
                self._answer(Stage(found), wrong)
        pytest.fail("the game does not come to an end")

    def _answer(self, stage: Stage, wrong: list[str] | None) -> None:
        choices = self.robot.choices()
        if wrong and stage not in self.met:
            self.met.add(stage)
            for text in wrong:
                self.robot.type(text)
                assert self.robot.read_until(self.prompts) == stage, f"{text!r} was taken at {stage.name}"
                assert "Traceback" not in self.robot.seen
        if stage is Stage.CONFIRM:
            self.robot.type(self.yes)
            self.turns += 1
        else:
            self.robot.type(choices[-1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_in_plain_lines(language: str, tmp_path: Path, start: Start) -> None:
    """R1: from the picks to the verdict, chosen from the lines alone, with wrong input at every prompt."""
    arguments = [
        "play",
        "--plain",
        "--names",
        "Ada",
        "--seed",
        "7",
        "--pause",
        "0",
        "--save",
        str(tmp_path / "r.json"),
    ]
    variant = ["--edition", "imperial", "--expansions", "rewards,wild_boar"]
    robot = start(*arguments, *variant, folder=tmp_path, language=language)
    player = Player(robot)
    player.play(wrong=WRONG)
    assert robot.read_until([]) == -1
    assert "\x1b[" not in robot.seen, "plain lines have no colours"
    assert player.met == set(Stage), "wrong input was typed at every kind of prompt"
    record = read_record(tmp_path / "r.json")
    assert verify(record).over
    assert say("tell.missions_of", language, name="Ada", missions="")[:-1] in robot.seen
    assert say("part.nobles", language) in robot.seen


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_with_drawings(language: str, tmp_path: Path, start: Start) -> None:
    """R1: the same with the garden drawn; every line fits in 80 columns."""
    arguments = ["play", "--names", "Ada", "--seed", "5", "--pause", "0", "--expansions", "rewards"]
    robot = start(*arguments, folder=tmp_path, language=language)
    player = Player(robot)
    shown: list[str] = []
    for _ in range(400):
        if player.turns == 18:
            break
        found = robot.read_until([*player.prompts, player.side])
        shown += robot.lines()
        if found == len(player.prompts):
            robot.type("1")
        elif found == Stage.CONFIRM:
            robot.type(player.yes)
            player.turns += 1
        else:
            robot.type(robot.drawn_choices()[-1])
    assert player.turns == 18 and robot.read_until([]) == -1
    assert max(map(len, shown)) <= 80
    assert any(say("screen.display", language) in line for line in shown)


def test_no_colour_when_asked(tmp_path: Path, start: Start) -> None:
    """NO_COLOR: the same drawing without colour; otherwise a terminal that has colours gets them."""
    coloured = start("play", "--names", "Ada", "--seed", "5", folder=tmp_path)
    coloured.read_until([say("pick.ask", sides=2)])
    assert re.search(r"\x1b\[[0-9;]*4[0-9]", coloured.seen)
    plain = start("play", "--names", "Ada", "--seed", "5", folder=tmp_path, NO_COLOR="1")
    plain.read_until([say("pick.ask", sides=2)])
    assert not re.search(r"\x1b\[[0-9;]*[34][0-9]", plain.seen)
    assert plain.lines() == coloured.lines()


@pytest.mark.parametrize("columns", [40, 60, 79, 80, 120])
def test_other_widths(columns: int, tmp_path: Path, start: Start) -> None:
    """A narrow terminal gets a drawing of its own; nothing is wider than the terminal."""
    robot = start("play", "--names", "Ada", "--seed", "5", folder=tmp_path, columns=columns)
    player = Player(robot)
    robot.read_until([player.side])
    robot.type("1")
    robot.read_until(player.prompts)
    assert max(map(len, robot.lines())) <= columns
    assert any(
        ("abcdefghi" in line) == (columns < 80) for line in robot.lines() if "  a" in line or "abc" in line
    )


def test_a_terminal_that_changes_its_size(tmp_path: Path, start: Start) -> None:
    """The next drawing fits the new size."""
    robot = start("play", "--names", "Ada", "--seed", "5", folder=tmp_path)
    player = Player(robot)
    robot.read_until([player.side])
    robot.type("1")
    robot.read_until(player.prompts)
    robot.child.setwinsize(30, 50)
    robot.type("look")
    robot.read_until(player.prompts)
    assert max(map(len, robot.lines())) <= 50


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_killed_game_is_resumed(end: signal.Signals, tmp_path: Path, start: Start) -> None:
    """Whatever ends the program, --resume goes on after the last confirmed turn."""
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
    assert again.read_until([]) == -1


def test_leaving_between_the_picks_loses_nothing(tmp_path: Path, start: Start) -> None:
    """R9, R12: a picked garden side is still picked after a resume."""
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


def test_a_resumed_file_never_runs_what_it_names(tmp_path: Path, start: Start) -> None:
    """A player called cmd:… in a file is a name, and refused."""
    robot = start("play", "--plain", "--names", "Ada", "--game", str(tmp_path / "g.json"), folder=tmp_path)
    robot.read_until([say("pick.ask", sides=2)])
    document = json.loads((tmp_path / "g.json").read_bytes())
    document["seats"][1]["player"] = f"cmd:touch {tmp_path}/ran"
    (tmp_path / "g.json").write_text(json.dumps(document))
    again = start("play", "--resume", "--game", str(tmp_path / "g.json"), folder=tmp_path)
    again.read_until([])
    assert "not known" in again.seen and not (tmp_path / "ran").exists()


def test_every_prompt_explains_itself(tmp_path: Path, start: Start) -> None:
    """help, ? and look at the very first question; wrong input there is told and asked again."""
    robot = start("play", "--names", "Ada", "--seed", "5", folder=tmp_path)
    side = say("pick.ask", sides=2)
    robot.read_until([side])
    assert say("host.goal")[:40] in " ".join(robot.lines())
    for text, said in (
        ("help", "one step back"),
        ("?", "R9"),
        ("look", "Side 2"),
        *((w, "no side") for w in WRONG),
    ):
        robot.type(text)
        assert robot.read_until([side]) == 0 and said in robot.seen
    robot.type("q")
    robot.read_until([])
    assert "sanssouci play --resume" in robot.seen


def test_news_reach_both_people(tmp_path: Path, start: Start) -> None:
    """R14: what the other played is told after the screen was cleared; their drawn card is not."""
    arguments = ["play", "--plain", "--players", "person,person", "--names", "Ada,Berta", "--seed", "3"]
    robot = start(*arguments, folder=tmp_path)
    asked = {name: say("desk.pass", name=name) for name in ("Ada", "Berta")}
    for name in ("Ada", "Berta"):
        robot.read_until([asked[name]])
        robot.type("")
        robot.read_until([say("pick.ask", sides=2)])
        assert say("host.help")[:30] in robot.seen
        robot.type("1")
    robot.read_until([asked["Ada"]])
    robot.type("")
    Player(robot, "Ada").play(turns=1)
    robot.read_until([asked["Berta"]])
    robot.type("")
    robot.read_until([say("ask.card", name="Berta")])
    assert "Ada plays the card" in robot.seen and "Ada draws" not in robot.seen
    robot.type("quit")


def test_replay_by_keys(tmp_path: Path, start: Start) -> None:
    """n, p, arrows, g and a number, q, at a real terminal; several keys at once are all obeyed."""
    record = RECORDS / "imperial-rewards-boar-2.json"
    robot = start("replay", str(record), folder=tmp_path)
    keys = say("replay.keys")

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
    robot.child.sendline("36")
    assert position() == "36"
    robot.child.send("q")
    assert robot.read_until([]) == -1


def test_a_finished_game_can_be_replayed(tmp_path: Path, start: Start) -> None:
    """The file that kept it is as good as a record; one that is not over gives nothing away."""
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
    robot.read_until([])
    assert "sanssouci replay" in robot.seen and "Missions of" in robot.seen
    again = start("replay", str(game), "--plain", "--turn", "36", folder=tmp_path)
    again.read_until([say("replay.keys") + ":"])
    assert "wins" in again.seen or "share" in again.seen


def test_hands_are_covered_between_two_people(tmp_path: Path, start: Start) -> None:
    """R11, R12: after the screen is cleared nothing of the other's hand or missions is shown."""
    arguments = ["play", "--players", "person,person", "--names", "Ada,Berta", "--seed", "3"]
    robot = start(*arguments, folder=tmp_path)
    asked = {name: say("desk.pass", name=name) for name in ("Ada", "Berta")}
    side = say("pick.ask", sides=2)
    for name in ("Ada", "Berta"):
        robot.read_until([asked[name]])
        robot.type("")
        robot.read_until([side])
        robot.type("1")
    robot.read_until([asked["Ada"]])
    robot.type("")
    ada = Player(robot, "Ada")
    ada.play(turns=1)
    robot.read_until([asked["Berta"]])
    after = robot.seen[robot.seen.rindex("\x1b[2J") :]
    assert "Hand:" not in after and "Missions:" not in after
    robot.type("")
    robot.read_until([say("ask.card", name="Berta")])
    assert robot.seen.count("Hand:") == 1


def test_a_stranger_finds_help(tmp_path: Path, start: Start) -> None:
    """help, ?, why, options, cards, log, look, back, undo: every question has an answer."""
    robot = start("play", "--plain", "--names", "Ada", "--seed", "8", folder=tmp_path)
    player = Player(robot)
    robot.read_until([player.side])
    robot.type("1")
    robot.read_until(player.prompts)
    first = robot.choices()[0]

    def answer(text: str) -> str:
        robot.type(text)
        robot.read_until(player.prompts)
        return robot.seen

    assert "why a square" in answer("help")
    assert "R14" in answer("?")
    assert "possible from here" in answer("options")
    assert "Cards that Ada still has" in answer("cards")
    assert "no turn has been played" in answer("log")
    assert "The garden of Ada" in answer("look")
    assert "R18: " in answer("why e6") or "R19: " in robot.seen
    assert "R14: " in answer("why 45")
    assert "is possible" in answer(f"why {first}")
    assert "why g3" in answer("why")
    assert "for example" in answer("why a1")
    assert "not complete" in answer("yes")
    answer(first)
    assert "R1" in answer("?")
    answer("back")
    assert first in robot.choices()
    assert "kept after every turn" in answer("save")
    assert "saved in" in answer(f"save {tmp_path}/copy.json")
    assert "exists already" in answer(f"save {tmp_path}/copy.json")
    for bad in (f"{tmp_path}/copy.json/below", "~nosuchuser/x", "x" * 300):
        assert "cannot be written" in answer(f"save {bad}")
    robot.type("quit")
    robot.read_until([])
    assert "--resume" in robot.seen


def test_a_whole_turn_can_be_typed(tmp_path: Path, start: Start) -> None:
    """R14, R20: in the record's notation; an illegal one is refused with its rule."""
    robot = start("play", "--plain", "--names", "Ada", "--seed", "8", "--pause", "0", folder=tmp_path)
    player = Player(robot)
    robot.read_until([player.side])
    robot.type("1")
    robot.read_until(player.prompts)
    robot.type("options")
    robot.read_until(player.prompts)
    laid = next(line.split()[0] for line in robot.lines() if "@" in line)
    robot.type(f"{laid}/i6")
    robot.read_until(player.prompts)
    assert "R20: " in robot.seen
    robot.type(laid)
    assert robot.read_until(player.prompts) == Stage.CONFIRM
    assert laid in robot.seen
    robot.type("undo")
    assert robot.read_until(player.prompts) == Stage.CARD
    robot.type(laid)
    robot.read_until(player.prompts)
    robot.type("y")
    robot.read_until(player.prompts)
    assert "Computer 2" in robot.seen
