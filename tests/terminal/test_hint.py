"""The hint in the terminal game: what is shown, what it changes (nothing), and how it is taken."""

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
from sanssouci.review import hint, within_noise
from sanssouci.rules import State, Turn
from sanssouci.terminal import AutoSave, PlayerConsole, Session, hints
from sanssouci.terminal.picking import pick_side
from sanssouci.terminal.staging import Stage
from sanssouci.terminal.turn_dialogue import TurnDialogue

from .player import Player
from .robot import Start
from .screens import BOTH, a_session


@pytest.fixture(autouse=True)
def few_imagined_games(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hint that comes at once."""
    monkeypatch.setattr(hints, "hint", partial(hint, rollouts=200))


class TypedDesk(PlayerConsole):
    """A desk at which everything is typed ahead."""

    def __init__(
        self, lines: Iterable[str], language: str = "en", plain: bool = True, width: int = 80
    ) -> None:
        self.shown = io.StringIO()
        console = Console(file=self.shown, width=width, color_system=None)
        super().__init__(console, Words(language, BOTH.edition), plain)
        self.lines = list(lines)

    def ask(self, prompt: str) -> str:
        """The next of the lines."""
        return self.lines.pop(0)


def dialogue(session: Session, console: PlayerConsole, folder: Path) -> TurnDialogue:
    """A turn of the seat to move, at a desk."""
    return TurnDialogue(session, console, AutoSave(session, folder / "game.json", lambda user_error: None))


def hinted(console: TypedDesk) -> Turn:
    """The turn that the hint on a desk names."""
    begins = re.escape(translate("hint.turn", console.words.language, turn=""))
    found = re.search(begins + r"(\S+)", console.shown.getvalue())
    assert found
    return parse_turn(found[1])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("plain", "width"), [(True, 80), (False, 80), (False, 40)])
def test_a_hint_is_taken_with_two_words(language: str, plain: bool, width: int, tmp_path: Path) -> None:
    """R14: the reader's own word for a hint, ok, yes; nothing is wider than the terminal."""
    session = a_session(BOTH, 30)
    word = translate("command.hint", language)
    console = TypedDesk([word, "ok", translate("command.yes", language).split()[0]], language, plain, width)
    turn = dialogue(session, console, tmp_path).run()
    assert turn == hinted(console)
    assert turn in session.state.options()
    shown = console.shown.getvalue()
    assert plain or max(map(len, shown.split("\n"))) <= width
    assert "±" in shown and "\x1b" not in shown


def test_a_hint_stages_nothing(tmp_path: Path) -> None:
    """Whatever has been chosen stays chosen; only ok stages the turn of the hint, and back takes it back."""
    session = a_session(BOTH, 30)
    asked = dialogue(session, TypedDesk([]), tmp_path)
    first = asked.staged.choices()[0]
    asked._stage(asked.staged.choose(first))
    before = asked.staged
    asked._answer("hint")
    assert asked.staged == before and not asked.confirmed
    asked._answer("hint")
    assert asked.staged == before
    asked._answer("ok")
    assert asked.hint is not None and asked.staged.turn() == asked.hint.turn
    assert asked.staged.stage is Stage.CONFIRM and not asked.confirmed


def test_there_is_nothing_to_take_before_a_hint(tmp_path: Path) -> None:
    """ok without a hint says so."""
    console = TypedDesk([])
    asked = dialogue(a_session(BOTH, 30), console, tmp_path)
    before = asked.staged
    asked._answer("accept")
    assert translate("hint.none") in console.shown.getvalue() and asked.staged == before


def test_what_was_never_compiled_is_compiled_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And while that takes long the person is told, in plain lines too; the next time there is no need."""
    done: list[bool] = []
    monkeypatch.setattr("sanssouci.terminal.hints.prepared", lambda: bool(done))
    monkeypatch.setattr("sanssouci.terminal.hints.prepare", lambda: done.append(True))
    for times in (1, 0):
        console = TypedDesk([])
        dialogue(a_session(BOTH, 30), console, tmp_path)._answer("hint")
        assert console.shown.getvalue().count(translate("cli.compiling")) == times
    assert done == [True]


def played(hints: bool, folder: Path) -> list[State]:
    """A few turns of a session, with or without asking for a hint before each."""
    session = a_session(BOTH, 20)
    for _ in range(6):
        turn = write_turn(list(session.state.options())[3])
        console = TypedDesk([*(["hint"] if hints else []), turn, "yes"])
        session.play(dialogue(session, console, folder).run())
    return session.states


def test_a_hint_does_not_change_what_is_dealt(tmp_path: Path) -> None:
    """R22, R23: tiles and cards come up as they would have without it."""
    assert played(True, tmp_path) == played(False, tmp_path)


def test_the_sides_of_a_garden_have_no_hint() -> None:
    """R9: whoever asks is told that they are balanced, and asked again."""
    session = a_session(BOTH, 0)
    console = TypedDesk(["hint", "2"])
    assert pick_side(session.setup.view(0), "Ada", console) == 1
    assert (
        translate("pick.no_hint") in console.shown.getvalue() and "is no side" not in console.shown.getvalue()
    )


def test_a_hint_says_what_is_about_as_good(tmp_path: Path) -> None:
    """What differs by less than the noise is not called next best; no tile is named twice."""
    console = TypedDesk([])
    asked = dialogue(a_session(BOTH, 30), console, tmp_path)
    asked._answer("hint")
    assert asked.hint is not None
    best, seat = asked.hint.estimates[0], asked.session.state.to_move
    for other in asked.hint.others()[:2]:
        key = "hint.level" if within_noise(best, other, seat) else "hint.next"
        begins = translate(key, turns="").removesuffix(".")
        (line,) = (line for line in console.shown.getvalue().split("\n") if line.startswith(begins))
        assert write_turn(other.turn) in line


def test_a_position_has_one_hint(tmp_path: Path) -> None:
    """The same game asked again says the same, word for word."""
    shown = []
    for _ in range(2):
        console = TypedDesk([])
        dialogue(a_session(BOTH, 30), console, tmp_path)._answer("hint")
        shown.append(console.shown.getvalue())
    assert shown[0] == shown[1]


def test_a_hint_at_a_real_terminal(tmp_path: Path, start: Start) -> None:
    """Drawn in 60 columns: hint, ok, yes, and the game goes on."""
    robot = start(
        "play", "--names", "Ada", "--seed", "8", "--pause", "0", folder=tmp_path, columns=60, language="fr"
    )
    player = Player(robot)
    robot.read_until([player.side])
    robot.type("1")
    robot.read_until(player.prompts)
    robot.type("conseil")
    assert robot.read_until(player.prompts) in (Stage.CARD, Stage.SPACE)
    assert "Conseil" in robot.seen and "Traceback" not in robot.seen
    robot.type("ok")
    assert robot.read_until(player.prompts) == Stage.CONFIRM
    robot.type("oui")
    robot.read_until(player.prompts)
    assert "Henriette" in robot.seen
