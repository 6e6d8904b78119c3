"""Tournaments and journals: figures do not depend on the order, process or number of runs."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from sanssouci.arena import Journal, Match, Outcome, Simulation, Sprt, Tournament, write_page
from sanssouci.dealer import parse_seed, shuffled
from sanssouci.editions import shipped_boards
from sanssouci.locale import LANGUAGES, UserError
from sanssouci.players import Budget
from sanssouci.rules import Variant

from ..helpers import stream, user_error

MATCH = Match(Variant(2), shipped_boards("reference"), ("random", "random"), parse_seed("5"))


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    """Twelve deals in both seatings."""
    return [MATCH.play((deal, place))[0] for deal in range(1, 13) for place in (0, 1)]


def document(deals: int, outcomes: list[Outcome], sprt: Sprt | None = None) -> dict[str, object]:
    """The figures of a tournament with these games."""
    tournament = Tournament(MATCH, deals, sprt)
    tournament.add_outcomes(outcomes)
    tournament.close()
    return tournament.to_json()


def test_games_follow_from_seed_deal_and_seating(outcomes: list[Outcome]) -> None:
    """Replaying a game gives the same result; another seating of a deal uses the same cards."""
    again, game = MATCH.play((3, 1))
    assert replace(again, seconds=(0.0, 0.0)) == replace(outcomes[5], seconds=(0.0, 0.0))
    series = Simulation(MATCH.variant, MATCH.boards, ("random", "random"), MATCH.seed)
    assert game.turns == series.play(3).turns, "every seat has the same random stream as in simulate"
    assert game.deal.decks == MATCH.play((3, 0))[1].deal.decks != MATCH.play((4, 0))[1].deal.decks


def test_the_order_of_games_does_not_matter(outcomes: list[Outcome]) -> None:
    """Figures, and the deal at which the sequential test ends, do not depend on the order of the games."""
    assert document(12, list(shuffled(outcomes, stream(1)))) == document(12, outcomes)
    tests = [Sprt(0, 200), Sprt(0, 200)]
    mixed = document(12, list(shuffled(outcomes, stream(2))), tests[0])
    assert mixed == document(12, outcomes, tests[1])
    decided = tests[0].to_json()
    assert decided["decision"] != "undecided" and 1 < decided["deals"] < 12
    assert mixed["deals"] == decided["deals"] and mixed["games"] == 2 * decided["deals"]


def test_extra_and_repeated_games_are_not_counted(outcomes: list[Outcome]) -> None:
    """Deals beyond the limit and repeated games are ignored; the remaining games are listed as missing."""
    assert document(5, outcomes) == document(5, outcomes[:10] * 2)
    tournament = Tournament(MATCH, 4)
    tournament.add_outcomes([outcomes[0], outcomes[1], outcomes[5], outcomes[20]])
    assert list(tournament.missing()) == [(2, 0), (2, 1), (3, 0), (4, 0), (4, 1)]
    assert tournament.finished == 3 and tournament.standings.games == 2
    tournament.close()
    assert tournament.standings.games == 3, "closing counts games of unfinished deals"


def write_journal(path: Path, outcomes: list[Outcome], match: Match = MATCH) -> bytes:
    with Journal(path) as journal:
        list(journal.outcomes(match))
        journal.begin(match)
        for outcome in outcomes:
            journal.write(outcome)
    return path.read_bytes()


def test_a_journal_restores_its_games(tmp_path: Path, outcomes: list[Outcome]) -> None:
    """A journal restores all games after any number of runs; a torn last line is dropped and rewritten."""
    path = tmp_path / "journal"
    whole = write_journal(path, outcomes[:4])
    assert whole.count(b"\n") == 5
    path.write_bytes(whole[:-9])
    with Journal(path) as journal:
        assert list(journal.outcomes(MATCH)) == outcomes[:3]
    assert path.read_bytes() == whole[:-9], "reading does not change the file"
    assert write_journal(path, [outcomes[3]]) == whole
    path.write_bytes(whole + b"x" * 999)
    assert write_journal(path, []) == whole, "the torn line is removed"
    path.write_bytes(b"")
    assert write_journal(path, outcomes[:4]) == whole, "an empty file is a new journal"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"players": ("random", "greedy")},
            "--players was “random, random” there and is “random, greedy” now",
        ),
        ({"variant": Variant(3)}, "--seats was “2”"),
        ({"variant": Variant(2, rewards=True)}, "--expansions was “-” there and is “rewards” now"),
        ({"boards": shipped_boards("parterre")}, "--boards was “name reference, sha256"),
        ({"budget": Budget(rollouts=10)}, "--time, --rollouts was “-” there and is “rollouts 10” now"),
        ({"seed": parse_seed("6")}, "--seed"),
    ],
)
def test_a_journal_of_another_match_is_refused(
    tmp_path: Path, change: dict[str, object], message: str
) -> None:
    """A journal of another match is refused with the setting that differs."""
    write_journal(tmp_path / "journal", [])
    with Journal(tmp_path / "journal") as journal, pytest.raises(UserError, match=message):
        list(journal.outcomes(replace(MATCH, **change)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["dear diary", "dear diary\n", "[]\n", '{"format": "sanssouci-save/1"}\n', "\0\0\n"]
)
def test_other_files_are_never_overwritten(tmp_path: Path, text: str) -> None:
    """A file that is not a journal is refused and stays unchanged."""
    path = tmp_path / "diary"
    path.write_text(text)
    with user_error("arena.no_journal"):
        Journal(path)
    assert path.read_text() == text


def test_an_invalid_line_is_reported(tmp_path: Path, outcomes: list[Outcome]) -> None:
    """A line with invalid JSON, or with values no game can have, is reported with its number."""
    path = tmp_path / "journal"
    whole = write_journal(path, outcomes[:3]).splitlines()
    line = json.loads(whole[2])
    nan = json.dumps(line | {"seconds": [float("nan"), 1]})
    for bad in (
        "{",
        *(
            json.dumps(line | change)
            for change in (
                {"seating": "AA"},
                {"scores": [1]},
                {"deal": 0},
                {"deal": "1"},
                {"gardeners": [1, 2.5]},
                {"turns": None},
                {"turns": [0, 18]},
                {"turns": [18, 17]},
                {"turns": [18, 19]},
                {"scores": [401, 40]},
                {"scores": [40, -1]},
                {"gardeners": [0, 19]},
                {"gardeners": [-1, 0]},
                {"seconds": [0.1, -0.1]},
                {"seconds": [0.1, float("inf")]},
                {"seconds": [0.1, 10**400]},
            )
        ),
        nan,
        "[" * 100_000,
    ):
        path.write_bytes(b"\n".join([*whole[:2], bad.encode(), *whole[3:], b""]))
        with Journal(path) as journal, user_error("arena.bad_line", line=3):
            list(journal.outcomes(MATCH))


def test_a_contradicting_line_is_reported(tmp_path: Path, outcomes: list[Outcome]) -> None:
    """Another result for the same game is reported with its line; a repeated result is fine."""
    path = tmp_path / "journal"
    slower = replace(outcomes[0], seconds=(7.0, 7.0))
    write_journal(path, [*outcomes[:3], slower])
    with Journal(path) as journal:
        assert list(journal.outcomes(MATCH)) == [*outcomes[:3], slower]
    write_journal(path, [replace(outcomes[1], scores=(1, 2))])
    with Journal(path) as journal, user_error("arena.contradiction", line=6):
        list(journal.outcomes(MATCH))


def test_two_processes_begin_a_journal(tmp_path: Path, outcomes: list[Outcome]) -> None:
    """Only the first of two processes gets a new journal; the second is refused and deletes nothing."""
    path = tmp_path / "journal"
    with Journal(path) as winner, Journal(path) as loser:
        winner.begin(MATCH)
        with user_error("arena.journal_locked"):
            loser.begin(MATCH)
        loser.discard()
        winner.write(outcomes[0])
    with Journal(path) as journal:
        assert list(journal.outcomes(MATCH)) == outcomes[:1]


def test_a_journal_deleted_before_locking_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A journal deleted between opening and locking is refused."""
    from sanssouci.arena import journal

    write_journal(tmp_path / "journal", [])

    def late(file: object) -> bool:
        (tmp_path / "journal").unlink()
        return True

    monkeypatch.setattr(journal, "_lock", late)
    with user_error("arena.journal_locked"):
        Journal(tmp_path / "journal")


def test_discard_ignores_a_failing_unlink(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Discarding a file that cannot be deleted raises nothing, so that the original error is shown."""

    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError

    with Journal(tmp_path / "journal") as journal:
        journal.begin(MATCH)
        with monkeypatch.context() as patched:
            patched.setattr(Path, "unlink", refuse)
            journal.discard()
    assert (tmp_path / "journal").exists()


def test_a_journal_has_one_writer(tmp_path: Path) -> None:
    """A second writer is refused; a folder or an unwritable path is a user error."""
    write_journal(tmp_path / "journal", [])
    with Journal(tmp_path / "journal"), user_error("arena.journal_locked"):
        Journal(tmp_path / "journal")
    Journal(tmp_path / "journal").close()
    with user_error("file.not_a_file"):
        Journal(tmp_path)
    with Journal(tmp_path / "nowhere" / "journal") as journal, user_error("cli.unwritable"):
        journal.begin(MATCH)


def test_discard_deletes_only_new_journals(tmp_path: Path, outcomes: list[Outcome]) -> None:
    """Discarding deletes a new journal and keeps an existing one unchanged."""
    for text in (None, write_journal(tmp_path / "other", outcomes[:1])):
        path = tmp_path / "journal"
        if text is not None:
            path.write_bytes(text)
        journal = Journal(path)
        list(journal.outcomes(MATCH))
        journal.begin(MATCH)
        journal.discard()
        assert (path.read_bytes() if path.exists() else None) == text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_self_contained(language: str, outcomes: list[Outcome]) -> None:
    """The page loads nothing external, escapes names, declares its language and supports dark mode."""
    tournament = Tournament(replace(MATCH, players=("a<b>&\"'", "x" * 60)), 6, Sprt(0, 10))
    tournament.add_outcomes(outcomes)
    page = write_page(tournament, language)
    assert f'<html lang="{language}">' in page and "prefers-color-scheme: dark" in page
    assert "a<b>" not in page and "a&lt;b&gt;&amp;&quot;&#x27;" in page
    assert page.count("<svg") == 3 and page.count('class="bar"') == 6 and page.count('class="whisker"') == 18
    for external in ("<script", "http:", "https:", "src=", "url(", "@import"):
        assert external not in page
    colon = "\N{NO-BREAK SPACE}:" if language == "fr" else ":"
    assert f"<title>Sanssouci{colon} a" in page and f"<h1>Sanssouci{colon} a" in page
    assert page.count(f"{colon} a&lt;b&gt;&amp;&quot;&#x27; ") >= 3, "charts have text alternatives"
    _check_tags(page)


def test_only_very_long_names_wrap_in_the_table() -> None:
    """Only very long names wrap: breaking anywhere would squeeze a column to one letter."""
    page = write_page(Tournament(MATCH, 1), "en")
    for rule in re.findall(r"[^{}]*{[^{}]*}", page):
        selector, _, style = rule.partition("{")
        assert "anywhere" not in style or not re.search(r"\bt[hdr]\b|table|span", selector)
    assert re.search(r"th span {[^}]*max-width[^}]*overflow-wrap: break-word", page)


def _check_tags(page: str) -> None:
    """Check that elements are closed in order."""
    from html.parser import HTMLParser

    class Tags(HTMLParser):
        opened: list[str]

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            if tag not in ("meta", "br"):
                self.opened.append(tag)

        def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            pass

        def handle_endtag(self, tag: str) -> None:
            assert self.opened.pop() == tag

    parser = Tags()
    parser.opened = []
    parser.feed(page)
    assert parser.opened == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_fits_in_80_columns(language: str, outcomes: list[Outcome]) -> None:
    """The table fits in 80 columns with long names, with and without intervals."""
    from rich.console import Console

    from sanssouci.cli.arena_table import arena_table
    from sanssouci.cli.language import set_language

    set_language(language)
    try:
        for deals in (1, 6):
            tournament = Tournament(replace(MATCH, players=("level:9", "a-player-with-a-long-name")), deals)
            tournament.add_outcomes(outcomes)
            console = Console(width=80, record=True, file=None, highlight=False)
            with console.capture() as captured:
                console.print(arena_table(tournament))
            lines = captured.get().splitlines()
            assert max(map(len, lines)) <= 80 and "…" not in captured.get()
    finally:
        set_language("")
