"""The short review at the end of a game: offered, told in four languages, and no hurdle for who leaves."""

import io
from pathlib import Path

import pytest
from rich.console import Console

from sanssouci.editions import Words
from sanssouci.locale import LANGUAGES, translate
from sanssouci.rules import RAVENSBURGER
from sanssouci.terminal import PlayerConsole, offer_review, post_game
from sanssouci.terminal.post_game import review_text

from ..review.played import FEW, analysed, golden
from .player import Player
from .robot import Start


def imagine_few_games() -> None:
    """Review a game in a moment; with thousands of imagined games for each turn it takes seconds."""
    post_game.ROLLOUTS = FEW


def console(plain: bool = True, language: str = "en") -> PlayerConsole:
    """A desk whose words can be read afterwards."""
    console = Console(file=io.StringIO(), width=80, force_terminal=not plain)
    return PlayerConsole(console, Words(language, RAVENSBURGER), plain)


def shown(at: PlayerConsole) -> str:
    """What was told there."""
    assert isinstance(at.rich.file, io.StringIO)
    return at.rich.file.getvalue()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_review_is_three_lines(language: str) -> None:
    """The turning point, the costliest turn with the better one, skill and luck."""
    analysis = analysed("ravensburger-base-2")
    words = Words(language, RAVENSBURGER)
    turning, costliest, sums = review_text(analysis, [1], words)
    assert turning.startswith(translate("review.turning", language, point=""))
    name = analysis.record.seats[1]["name"]
    assert costliest.startswith(name) and translate("analyse.better", language, turn="") in costliest
    assert sums.startswith(name) and translate("analyse.skill", language).lower() in sums.lower()
    assert len(review_text(analysis, [0, 1], words)) == 5


def test_a_review_of_a_flawless_game() -> None:
    """Nothing was missed, and nothing turned."""
    analysis = analysed("ravensburger-base-2", 0)
    told = review_text(analysis, [0], Words("en", RAVENSBURGER))
    assert (
        told[0] == translate("analyse.no_turning")
        and "no clearly better turn" in told[1]
        and "0 / 0" in told[2]
    )


@pytest.mark.parametrize("plain", [True, False])
def test_a_review_is_told_to_who_wants_it(plain: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Enter; a line says what takes a moment, with drawings also how far it is."""
    monkeypatch.setattr("builtins.input", lambda prompt: "")
    monkeypatch.setattr(post_game, "ROLLOUTS", FEW)
    at = console(plain)
    offer_review(golden("ravensburger-base-2", 2), [0], at)
    assert "; skill" in shown(at).replace("\n", " ")
    assert ("reviewing: 3 of 3" in shown(at)) is not plain
    assert (translate("review.begins") in shown(at)) is plain, "no counter that does not count"
    assert " ± " in shown(at)


@pytest.mark.parametrize("answer", ["q", "quit", "Q", "n", "No", EOFError, KeyboardInterrupt])
def test_who_leaves_does_not_wait(answer: str | type[BaseException], monkeypatch: pytest.MonkeyPatch) -> None:
    """q, the end of the input, Ctrl-C: nothing is computed."""

    def typed(prompt: str) -> str:
        if isinstance(answer, str):
            return answer
        raise answer

    monkeypatch.setattr("builtins.input", typed)
    monkeypatch.setattr(post_game, "analyse", lambda *arguments, **options: pytest.fail("it was computed"))
    at = console()
    offer_review(golden("ravensburger-base-2"), [0], at)
    assert shown(at).strip() == ""


@pytest.mark.parametrize(("language", "answer"), [("de", "nein"), ("fr", "non"), ("es", "no"), ("de", "n")])
def test_no_is_said_in_every_language(language: str, answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever does not want it says so in their own words."""
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    monkeypatch.setattr(post_game, "analyse", lambda *arguments, **options: pytest.fail("it was computed"))
    at = console(language=language)
    offer_review(golden("ravensburger-base-2"), [0], at)
    assert shown(at).strip() == ""


def test_a_review_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while it is computed is no error."""

    def stopped(*arguments: object, **options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", lambda prompt: "")
    monkeypatch.setattr(post_game, "analyse", stopped)
    at = console()
    offer_review(golden("ravensburger-base-2"), [0], at)
    assert shown(at).strip().endswith("Ctrl-C stops it")


def test_a_game_at_a_terminal_ends_with_a_review(tmp_path: Path, start: Start) -> None:
    """Enter shows it; the record is written before it is offered."""
    record = tmp_path / "game.json"
    robot = start(
        *("play", "--plain", "--names", "Ada", "--seed", "8", "--pause", "0", "--save", str(record)),
        folder=tmp_path,
        prepare=imagine_few_games,
    )
    player = Player(robot)
    player.play()
    assert robot.read_until([translate("review.offer")]) == 0 and record.exists()
    robot.type("")
    assert robot.read_until([]) == -1
    assert "Ada, " in robot.seen and "skill" in robot.seen and "sanssouci analyse" in robot.seen
