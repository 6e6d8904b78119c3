"""Hints in the terminal game: their output, their acceptance, and that they change nothing else."""

import io
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from sanssouci.editions import Words
from sanssouci.locale import LANGUAGES, translate
from sanssouci.notation import parse_turn, write_turn
from sanssouci.review import hint
from sanssouci.rules import State, Turn
from sanssouci.terminal import AutoSave, PlayerConsole, Session, hints
from sanssouci.terminal.picking import pick_side
from sanssouci.terminal.staging import TurnStep
from sanssouci.terminal.turn_dialogue import TurnDialogue

from .player import Player
from .robot import Start
from .screens import BOTH, a_session


@pytest.fixture(autouse=True)
def few_rollouts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make hints fast."""
    monkeypatch.setattr(hints, "hint", partial(hint, rollouts=200))


class ScriptedConsole(PlayerConsole):
    """A console with prepared input."""

    def __init__(
        self, lines: Iterable[str], language: str = "en", plain: bool = True, width: int = 80
    ) -> None:
        self.shown = io.StringIO()
        console = Console(file=self.shown, width=width, color_system=None)
        super().__init__(console, Words(language, BOTH.edition), plain)
        self.lines = list(lines)

    def ask(self, prompt: str) -> str:
        return self.lines.pop(0)


def dialogue(session: Session, console: PlayerConsole, folder: Path) -> TurnDialogue:
    """A turn dialogue of the seat to move."""
    return TurnDialogue(session, console, AutoSave(session, folder / "game.json", lambda user_error: None))


def hinted(console: ScriptedConsole) -> Turn:
    """The turn that the hint on a console names."""
    begins = re.escape(translate("hint.turn", console.words.language, turn=""))
    found = re.search(begins + r"(\S+)", console.shown.getvalue())
    assert found
    return parse_turn(found[1])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("plain", "width"), [(True, 80), (False, 80), (False, 40)])
def test_a_hint_is_accepted(language: str, plain: bool, width: int, tmp_path: Path) -> None:
    """R14: the translated command for a hint, ok and yes play its turn; all lines fit the terminal."""
    session = a_session(BOTH, 30)
    word = translate("command.hint", language)
    console = ScriptedConsole(
        [word, "ok", translate("command.yes", language).split()[0]], language, plain, width
    )
    turn = dialogue(session, console, tmp_path).run()
    assert turn == hinted(console)
    assert turn in session.state.options()
    shown = console.shown.getvalue()
    assert plain or max(map(len, shown.split("\n"))) <= width
    assert "±" in shown and "\x1b" not in shown


def test_a_hint_stages_nothing(tmp_path: Path) -> None:
    """A hint changes no choices; only ok stages its turn."""
    session = a_session(BOTH, 30)
    turn_dialogue = dialogue(session, ScriptedConsole([]), tmp_path)
    first = turn_dialogue.staged.choices()[0]
    turn_dialogue._stage(turn_dialogue.staged.choose(first))
    before = turn_dialogue.staged
    turn_dialogue._answer("hint")
    assert turn_dialogue.staged == before and not turn_dialogue.confirmed
    turn_dialogue._answer("hint")
    assert turn_dialogue.staged == before
    turn_dialogue._answer("ok")
    assert turn_dialogue.hint is not None and turn_dialogue.staged.turn() == turn_dialogue.hint.turn
    assert turn_dialogue.staged.step is TurnStep.CONFIRM and not turn_dialogue.confirmed


def test_ok_without_a_hint_is_explained(tmp_path: Path) -> None:
    """``ok`` without a hint gives a message and changes nothing."""
    console = ScriptedConsole([])
    turn_dialogue = dialogue(a_session(BOTH, 30), console, tmp_path)
    before = turn_dialogue.staged
    turn_dialogue._answer("accept")
    assert translate("hint.none") in console.shown.getvalue() and turn_dialogue.staged == before


def test_the_first_hint_compiles_with_a_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first hint compiles missing code and says so; later hints do not."""
    done: list[bool] = []
    monkeypatch.setattr("sanssouci.terminal.hints.prepared", lambda: bool(done))
    monkeypatch.setattr("sanssouci.terminal.hints.prepare", lambda: done.append(True))
    for times in (1, 0):
        console = ScriptedConsole([])
        dialogue(a_session(BOTH, 30), console, tmp_path)._answer("hint")
        assert console.shown.getvalue().count(translate("cli.compiling")) == times
    assert done == [True]


def played(hints: bool, folder: Path) -> list[State]:
    """A few turns of a session, with or without a hint before each."""
    session = a_session(BOTH, 20)
    for _ in range(6):
        turn = write_turn(list(session.state.options())[3])
        console = ScriptedConsole([*(["hint"] if hints else []), turn, "yes"])
        session.play(dialogue(session, console, folder).run())
    return session.states


def test_a_hint_does_not_change_what_is_dealt(tmp_path: Path) -> None:
    """R22, R23: tiles and cards are the same with and without hints."""
    assert played(True, tmp_path) == played(False, tmp_path)


def test_the_sides_of_a_garden_have_no_hint() -> None:
    """R9: asking for a hint on a side gives a message, and the question is repeated."""
    session = a_session(BOTH, 0)
    console = ScriptedConsole(["hint", "2"])
    assert pick_side(session.setup.view(0), "Ada", console) == 1
    assert (
        translate("pick.no_hint") in console.shown.getvalue() and "is no side" not in console.shown.getvalue()
    )


def test_a_hint_lists_equal_and_next_turns(tmp_path: Path) -> None:
    """Turns that are about as good are listed as such, others as next best."""
    console = ScriptedConsole([])
    turn_dialogue = dialogue(a_session(BOTH, 30), console, tmp_path)
    turn_dialogue._answer("hint")
    assert turn_dialogue.hint is not None
    for other in turn_dialogue.hint.outlooks[1:3]:
        key = "hint.level" if other.level else "hint.next"
        begins = translate(key, turns="").removesuffix(".")
        (line,) = (line for line in console.shown.getvalue().split("\n") if line.startswith(begins))
        assert write_turn(other.turn) in line


def test_a_position_has_one_hint(tmp_path: Path) -> None:
    """Asking again in the same position gives the same hint."""
    shown = []
    for _ in range(2):
        console = ScriptedConsole([])
        dialogue(a_session(BOTH, 30), console, tmp_path)._answer("hint")
        shown.append(console.shown.getvalue())
    assert shown[0] == shown[1]


def test_a_hint_at_a_real_terminal(tmp_path: Path, start: Start) -> None:
    """In a real terminal of 60 columns a hint is shown, accepted and played."""
    robot = start(
        "play", "--names", "Ada", "--seed", "8", "--pause", "0", folder=tmp_path, columns=60, language="fr"
    )
    player = Player(robot)
    robot.read_until([player.side])
    robot.type("1")
    robot.read_until(player.prompts)
    robot.type("conseil")
    assert robot.read_until(player.prompts) in (TurnStep.CARD, TurnStep.SPACE)
    assert "Conseil" in robot.seen and "Traceback" not in robot.seen
    robot.type("ok")
    assert robot.read_until(player.prompts) == TurnStep.CONFIRM
    robot.type("oui")
    robot.read_until(player.prompts)
    assert "Henriette" in robot.seen
