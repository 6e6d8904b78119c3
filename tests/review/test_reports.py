"""Reports of an analysis as JSON, HTML and text: complete, well-formed, in four languages."""

import json
import re
from html.parser import HTMLParser

import pytest

from sanssouci.locale import LANGUAGES, translate
from sanssouci.notation import seat_names, write_turn
from sanssouci.review import (
    account_cells,
    account_sections,
    analyse,
    analysis_document,
    better_line,
    cost_figures,
    leads,
    misses,
    reasons,
    say_reason,
    shares,
    split_skill_and_luck,
    turning_line,
    turning_points,
    write_analysis,
)
from sanssouci.review.report_text import why
from sanssouci.terminal import share_strip

from .played import FEW_ROLLOUTS, a_deal, analysed, played, without_noise

VOID = {"meta", "line", "circle", "polyline"}


class Tags(HTMLParser):
    """Parses a page, and checks that tags are closed in order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.counts: dict[str, int] = {}
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag != "meta":
            self.open.append(tag)
        assert not {"src", "href", "onclick"} & {name for name, _ in attributes}

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.counts[tag] = self.counts.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_complete_and_self_contained(language: str) -> None:
    """The page is well-formed, loads nothing, and has the graph with a text and every turn."""
    analysis = analysed("ravensburger-rewards-3")
    page = write_analysis(analysis, language)
    tags = Tags(page)
    assert tags.open == [] and f'<html lang="{language}">' in page
    assert "script" not in tags.counts and "url(" not in page and "http" not in page
    assert tags.counts["polyline"] == 3 and tags.counts["desc"] == 1 and tags.counts["table"] == 2
    assert tags.counts["code"] == 54
    missed = [number for seat in range(3) for number in misses(analysis, seat)]
    assert missed and tags.counts["circle"] == len(missed) + 1, "one in the legend"
    for key in ("analyse.sums", "analyse.turning", "analyse.skill", "analyse.others", "analyse.missed"):
        assert translate(key, language) in tags.text
    for number in missed:
        assert better_line(analysis, number, language) in tags.text


def test_names_are_text_on_a_page() -> None:
    """Names of seats are escaped."""
    record = played(a_deal(), 2)
    page = write_analysis(analyse(record, rollouts=FEW_ROLLOUTS, threads=1), "en")
    assert "&lt;Seat&gt; &amp; 1" in page and "<Seat>" not in page
    assert "stopped after turn 2 of 36" in page


def test_the_json_document_is_complete() -> None:
    """The document has the keys of docs/analysis.md and the totals of the analysis."""
    analysis = analysed("imperial-rewards-boar-4")
    document = json.loads(json.dumps(analysis_document(analysis, "de"), allow_nan=False))
    assert list(document) == [
        *("format", "edition", "expansions", "over", "rollouts", "seed"),
        *("seats", "turns", "positions", "turning_points"),
    ]
    assert document["format"] == "sanssouci-analysis/1" and document["over"] is True
    assert (len(document["turns"]), len(document["positions"]), len(document["seats"])) == (72, 73, 4)
    turn, seat = document["turns"][5], document["seats"][1]
    assert list(turn) == [
        *("turn", "round", "seat", "played", "best", "missed", "why"),
        *("before", "after", "possible", "cost", "skill", "luck"),
    ]
    assert (turn["turn"], turn["round"], turn["seat"]) == (6, 2, 1)
    assert turn["played"] == analysis.record.turns[5]
    assert turn["cost"]["win_share"] == pytest.approx(
        turn["possible"]["win_share"][1] - turn["after"]["win_share"][1]
    )
    parts = seat["win_share"]
    assert parts["start"] + parts["skill"] + parts["others"] + parts["luck"] == pytest.approx(parts["end"])
    assert list(parts) == ["start", "skill", "others", "luck", "end", "error", "luck_error"]
    assert seat["name"] == analysis.record.seats[1]["name"] and seat["turns"] == 18
    whys = [turn["why"] for turn in document["turns"] if turn["missed"]]
    assert len(whys) == sum(each["missed"] for each in document["seats"]) and any(whys)
    assert all(turn["why"] == [] for turn in document["turns"] if not turn["missed"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_add_up_as_they_are_shown(language: str) -> None:
    """Rounded figures add up, with the rounding error in luck; decimals are localised."""
    analysis = analysed("imperial-rewards-boar-4")
    comma = translate("word.decimal", language)
    for seat in range(4):
        for figure in (shares, leads):
            cells = account_cells(split_skill_and_luck(analysis, seat, figure), figure, language)
            start, *parts, end = [
                round(10 * float(re.split("[ %\u00a0]", cell)[0].replace(comma, "."))) for cell in cells
            ]
            assert start + sum(parts) == end
            assert all(cell[0] in "+-" for cell in cells[1:4]) and "±" in cells[1] and "±" in cells[3]
            assert (figure is shares) == all(cell.endswith("%") for cell in cells)
            assert figure is leads or not any(comma in cell for cell in cells), "no tenths of a hundredth"
    first, second, third = account_sections(analysis, language)
    assert [len(section.rows) for section in (first, second, third)] == [5, 5, 1]


def test_a_missed_turn_has_one_or_two_reasons() -> None:
    """Each missed turn has its strongest reason and at most one more of another kind."""
    doubled = 0
    for name in ("ravensburger-base-2", "imperial-rewards-boar-4", "ravensburger-rewards-3"):
        analysis = analysed(name)
        for number in (number for seat in range(analysis.seats) for number in misses(analysis, seat)):
            turn_review = analysis.turn_reviews[number]
            view = analysis.states[number].view(turn_review.seat)
            found = reasons(view, turn_review.best, instead_of=turn_review.turn)
            others = [reason for reason in found[1:] if not reason.repeats(found[0])]
            names = seat_names(analysis.record)
            wanted = [
                say_reason(reason, view.variant.edition, "en", names) for reason in (*found[:1], *others[:1])
            ]
            assert why(analysis, number, "en") == (wanted or [translate("analyse.no_reason")])
            doubled += others[:1] != list(found[1:2])
    assert doubled, "some reasons were skipped"


def test_a_turning_point_names_its_cause() -> None:
    """A missed turn names the better one; luck names the new tile."""
    analysis = without_noise(analysed("ravensburger-base-2"))
    for point in turning_points(analysis):
        text = turning_line(analysis, point, "en")
        turn_review = analysis.turn_reviews[point.number]
        assert text.startswith(f"Round {point.number // 2 + 1}, ") and write_turn(turn_review.turn) in text
        assert ("(new tile" in text) == (point.cause.value == "luck")
        assert ("instead of" in text) == (point.cause.value == "missed")
        assert ("through skill" in text or "a weak turn" in text) == (point.cause.value == "skill")


def test_only_missed_turns_have_a_cost() -> None:
    """A missed turn has a cost in win share and lead; other turns have none."""
    analysis = analysed("ravensburger-base-2")
    for number, turn_review in enumerate(analysis.turn_reviews):
        text = cost_figures(turn_review, "en")
        assert bool(text) == turn_review.missed == bool(better_line(analysis, number, "en"))
        if text:
            share, points = text
            assert share[0] in "-0" and share.endswith("%") and float(points) < 0


def test_a_strip_shows_shares_as_columns() -> None:
    """The height of a column is the win share; round numbers are below."""
    lines = share_strip([0.0, 0.5, 1.0, 0.25], 1, 80, 4, plain=False)
    assert lines == ["100%     ██", "         ██", " 50%   ████", "       ██████", "     1"]
    assert share_strip([1.0], 1, 80, 4, plain=False, language="de")[0] == "100\u00a0% ██"
    assert "#" in share_strip([1.0], 2, 80, 4, plain=True)[0]
    assert all(line.isascii() for line in share_strip([0.1 * n for n in range(11)], 2, 80, 4, plain=True))


@pytest.mark.parametrize(("seats", "width"), [(2, 80), (3, 80), (4, 80), (4, 40), (2, 20)])
def test_a_strip_fits_its_terminal(seats: int, width: int) -> None:
    """The strip fits any width, and round numbers do not overlap."""
    shares = [number / (18 * seats) for number in range(18 * seats + 1)]
    lines = share_strip(shares, seats, width, 8, plain=False)
    assert len(lines) == 9 and max(map(len, lines)) < width
    assert lines[-1].split()[0] == "1" and set(lines[-1].split()) <= {"1", "5", "10", "15"}
    assert lines[0].endswith("█")
