"""Whole games in a real pseudo-terminal, in every language, with wrong input at every prompt."""

import re
from pathlib import Path

import pexpect
import pytest

from sanssouci.locale import LANGUAGES, translate
from sanssouci.notation import read_record, verify
from sanssouci.terminal.staging import TurnStep

from ..cli.command import COMMAND
from .player import WRONG, Player
from .robot import Start

EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


@EACH_LANGUAGE
def test_a_whole_game_in_plain_lines(language: str, tmp_path: Path, start: Start) -> None:
    """R1: a game in plain lines is played from the picks to the result."""
    arguments = [
        "play",
        "--plain",
        "--names",
        "Ada",
        "--seed",
        "10",  # a game in which the boar is disturbed
        "--players",
        "person,steward",
        "--pause",
        "0",
        "--save",
        str(tmp_path / "r.json"),
    ]
    variant = ["--edition", "imperial", "--expansions", "rewards,wild_boar"]
    robot = start(*arguments, *variant, folder=tmp_path, language=language)
    player = Player(robot)
    player.play(wrong=WRONG)
    seen = player.finish()
    assert "\x1b[" not in seen, "plain lines have no colours"
    assert player.met == set(TurnStep), "wrong input was typed at every kind of prompt"
    record = read_record(tmp_path / "r.json")
    assert verify(record).over
    assert translate("turn_text.missions_of", language, name="Ada", missions="")[:-1] in seen
    assert translate("part.nobles", language) in seen


@EACH_LANGUAGE
def test_a_whole_game_with_drawings(language: str, tmp_path: Path, start: Start) -> None:
    """R1: a game with drawings is played, and every line fits in 80 columns."""
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
        elif found == TurnStep.CONFIRM:
            robot.type(player.yes)
            player.turns += 1
        else:
            robot.type(robot.drawn_choices()[-1])
    assert player.turns == 18 and player.finish()
    assert max(map(len, shown)) <= 80
    assert any(translate("screen.display", language) in line for line in shown)


def test_a_game_in_a_new_python_process(tmp_path: Path, start: Start) -> None:
    """A new process shows the same screens as a forked one, which the other tests use."""
    words, side = ["play", "--names", "Ada", "--seed", "5"], translate("pick.ask", sides=2)
    robot = start(*words, folder=tmp_path)
    robot.read_until([side])
    child = pexpect.spawn(
        COMMAND[0],
        [*COMMAND[1:], *words],
        env=robot.environment,
        encoding="utf-8",
        dimensions=(40, 80),
        echo=False,
        timeout=60,
    )
    child.expect(re.escape(side) + " ")
    assert child.before == robot.seen
    child.sendline("q")
    child.expect(pexpect.EOF)
    assert "sanssouci play --resume" in str(child.before)
    child.close()
    assert child.exitstatus == 0


def test_no_colour_when_asked(tmp_path: Path, start: Start) -> None:
    """With NO_COLOR, the drawing is the same without colours."""
    coloured = start("play", "--names", "Ada", "--seed", "5", folder=tmp_path)
    coloured.read_until([translate("pick.ask", sides=2)])
    assert re.search(r"\x1b\[[0-9;]*4[0-9]", coloured.seen)
    plain = start("play", "--names", "Ada", "--seed", "5", folder=tmp_path, NO_COLOR="1")
    plain.read_until([translate("pick.ask", sides=2)])
    assert not re.search(r"\x1b\[[0-9;]*[34][0-9]", plain.seen)
    assert plain.lines() == coloured.lines()


@pytest.mark.parametrize("columns", [40, 60, 79, 80, 120])
def test_other_widths(columns: int, tmp_path: Path, start: Start) -> None:
    """A narrow terminal has a smaller drawing, and no line is too wide."""
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
    """After resizing, the next drawing fits."""
    robot = start("play", "--names", "Ada", "--seed", "5", folder=tmp_path)
    player = Player(robot)
    robot.read_until([player.side])
    robot.type("1")
    robot.read_until(player.prompts)
    robot.child.set_size(30, 50)
    robot.type("look")
    robot.read_until(player.prompts)
    assert max(map(len, robot.lines())) <= 50


def test_every_prompt_explains_itself(tmp_path: Path, start: Start) -> None:
    """help, ? and look work at the first question; wrong input is explained and asked again."""
    robot = start("play", "--names", "Ada", "--seed", "5", folder=tmp_path)
    side = translate("pick.ask", sides=2)
    robot.read_until([side])
    assert translate("terminal.goal")[:40] in " ".join(robot.lines())
    for text, message in (
        ("help", "one step back"),
        ("?", "R9"),
        ("look", "Side 2"),
        *((w, "not a side") for w in WRONG),
    ):
        robot.type(text)
        assert robot.read_until([side]) == 0 and message in robot.seen
    robot.type("q")
    robot.read_until([])
    assert "sanssouci play --resume" in robot.seen


def test_every_command_works_at_a_prompt(tmp_path: Path, start: Start) -> None:
    """help, ?, why, options, cards, log, look, back, save and quit work at the prompt."""
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
    assert "Cards Ada still has" in answer("cards")
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
    assert "saved after every turn" in answer("save")
    assert "saved in" in answer(f"save {tmp_path}/copy.json")
    assert "already exists" in answer(f"save {tmp_path}/copy.json")
    for bad in (f"{tmp_path}/copy.json/below", "~nosuchuser/x", "x" * 300):
        assert "cannot be written" in answer(f"save {bad}")
    robot.type("quit")
    robot.read_until([])
    assert "--resume" in robot.seen


def test_a_whole_turn_can_be_typed(tmp_path: Path, start: Start) -> None:
    """R14, R20: a turn can be typed in notation; an illegal one is refused with its rule."""
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
    assert robot.read_until(player.prompts) == TurnStep.CONFIRM
    assert laid in robot.seen
    robot.type("undo")
    assert robot.read_until(player.prompts) == TurnStep.CARD
    robot.type(laid)
    robot.read_until(player.prompts)
    robot.type("y")
    robot.read_until(player.prompts)
    assert "Henriette" in robot.seen
