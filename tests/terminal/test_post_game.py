"""The short review at the end of a game: offered, translated, and easy to skip."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from sanssouci.editions import Words
from sanssouci.locale import LANGUAGES, translate
from sanssouci.rules import RAVENSBURGER
from sanssouci.terminal import PlayerConsole, offer_review, post_game
from sanssouci.terminal.post_game import review_text

from ..review.played import FEW_ROLLOUTS, analysed, golden
from .player import Player
from .robot import Start


def use_few_rollouts() -> None:
    """Make the review fast."""
    post_game.ROLLOUTS = FEW_ROLLOUTS


def console(plain: bool = True, language: str = "en") -> PlayerConsole:
    """A console whose output can be read."""
    console = Console(file=io.StringIO(), width=80, force_terminal=not plain)
    return PlayerConsole(console, Words(language, RAVENSBURGER), plain)


def shown(player_console: PlayerConsole) -> str:
    """The output of a console."""
    assert isinstance(player_console.rich.file, io.StringIO)
    return player_console.rich.file.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_is_three_lines(language: str) -> None:
    """A review has the turning point, the costliest turn with the better one, and skill and luck."""
    analysis = analysed("ravensburger-base-2")
    words = Words(language, RAVENSBURGER)
    turning, costliest, sums = review_text(analysis, [1], words)
    assert turning.startswith(translate("review.turning", language, point=""))
    name = analysis.record.seats[1]["name"]
    assert costliest.startswith(name) and translate("analyse.better", language, turn="") in costliest
    assert sums.startswith(name) and translate("analyse.skill", language).lower() in sums.lower()
    assert len(review_text(analysis, [0, 1], words)) == 5


def test_a_review_of_a_flawless_game() -> None:
    """A game without mistakes has no turning point and no missed turn."""
    analysis = analysed("ravensburger-base-2", 0)
    lines = review_text(analysis, [0], Words("en", RAVENSBURGER))
    assert (
        lines[0] == translate("analyse.no_turning")
        and "no clearly better turn" in lines[1]
        and "0 / 0" in lines[2]
    )


@pytest.mark.parametrize("plain", [True, False])
def test_a_review_is_shown_on_enter(plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter shows the review; progress is a line, or a counter on a terminal with drawings."""
    monkeypatch.setattr("builtins.input", lambda prompt: "")
    monkeypatch.setattr(post_game, "ROLLOUTS", FEW_ROLLOUTS)
    player_console = console(plain)
    offer_review(golden("ravensburger-base-2", 2), [0], player_console)
    assert "; skill" in shown(player_console).replace("\n", " ")
    assert ("reviewing: 3 of 3" in shown(player_console)) is not plain
    assert (translate("review.begins") in shown(player_console)) is plain, "plain output has no counter"
    assert " ± " in shown(player_console)


@pytest.mark.parametrize("answer", ["q", "quit", "Q", "n", "No", EOFError, KeyboardInterrupt])
def test_a_declined_review_is_not_computed(
    answer: str | type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    """q, the end of input and Ctrl-C skip the review without computing it."""

    def typed(prompt: str) -> str:
        if isinstance(answer, str):
            return answer
        raise answer

    monkeypatch.setattr("builtins.input", typed)
    monkeypatch.setattr(post_game, "analyse", lambda *arguments, **options: pytest.fail("it was computed"))
    player_console = console()
    offer_review(golden("ravensburger-base-2"), [0], player_console)
    assert shown(player_console).strip() == ""


@pytest.mark.parametrize(("language", "answer"), [("de", "nein"), ("fr", "non"), ("es", "no"), ("de", "n")])
def test_a_review_is_declined_in_every_language(
    language: str, answer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The translated "no" declines the review."""
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    monkeypatch.setattr(post_game, "analyse", lambda *arguments, **options: pytest.fail("it was computed"))
    player_console = console(language=language)
    offer_review(golden("ravensburger-base-2"), [0], player_console)
    assert shown(player_console).strip() == ""


def test_a_review_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C during the review is not an error."""

    def stopped(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", lambda prompt: "")
    monkeypatch.setattr(post_game, "analyse", stopped)
    player_console = console()
    offer_review(golden("ravensburger-base-2"), [0], player_console)
    assert shown(player_console).strip().endswith("Ctrl-C stops it")


def test_a_game_at_a_terminal_ends_with_a_review(tmp_path: Path, start: Start) -> None:
    """Enter shows the review; the record is written before the offer."""
    record = tmp_path / "game.json"
    robot = start(
        *("play", "--plain", "--names", "Ada", "--seed", "8", "--pause", "0", "--save", str(record)),
        folder=tmp_path,
        prepare=use_few_rollouts,
    )
    player = Player(robot)
    player.play()
    assert robot.read_until([translate("review.offer")]) == 0 and record.exists()
    robot.type("")
    assert robot.read_until([]) == -1
    assert "Ada, " in robot.seen and "skill" in robot.seen and "sanssouci analyse" in robot.seen
