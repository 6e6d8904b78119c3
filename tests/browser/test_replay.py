"""Replays: golden records on the page, position by position; hidden information stays hidden."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sanssouci.notation import parse_record, write_view
from sanssouci.notation import replay as replayed
from sanssouci.rules import State

from .page_player import PagePlayer
from .recorded_tables import RECORDS, replay
from .visitors import PHONE, Visitors, text_on_screen

Json = dict[str, Any]
POSITION = """() => {
  // A noble that a walk passes is drawn in front of it.
  const places = ".garden :is([data-square], [data-markers])";
  const within = (kind) => [...document.querySelectorAll(`${places} > ${kind}`)]
    .map(({ parentElement: { dataset } }) => dataset.square ?? dataset.markers).sort();
  return {
    built: within(".figure"), gardeners: within(".figure.gardener"), nobles: within(".noble"),
    boar: within(".boar")[0] ?? null,
    hand: [...document.querySelectorAll(".own [data-card]")].map((card) => card.dataset.card),
    empty: document.querySelectorAll("[data-space]:not(:has(.tile))").length,
    log: document.querySelectorAll(".log li").length,
  };
}"""
"""The large garden, the hand, the display and the log, as the page shows them."""
DROPPED_FILE = """text => {
  const found = new DataTransfer();
  found.items.add(new File([text], "game.json"));
  return found;
}"""
FETCH_TABLE = "async () => (await fetch(location.pathname.replace('/table/', '/api/tables/'))).json()"
REFUSED = "status of 422"


def states(name: str) -> list[State]:
    """The states of a golden record according to the rules."""
    record = parse_record((RECORDS / f"{name}.json").read_bytes())
    return [record.deal.start(), *(state for _, state in replayed(record))]


def expected_position(state: State, seat: int) -> Json:
    """The position as seen from a seat."""
    view = write_view(state.view(seat))
    garden = view["gardens"][seat]
    found = {part: sorted(garden[part]) for part in ("built", "gardeners", "nobles")}
    empty = view["display"].count(None)
    return {**found, "boar": garden["boar"], "hand": view["hand"], "empty": empty, "log": state.turn}


@pytest.mark.parametrize("name", ["imperial-rewards-boar-4", "ravensburger-base-2", "stopped-early"])
def test_replay_positions_equal_the_rules(visitors: Visitors, name: str) -> None:
    """Positions at start, middle and end equal the rules', from every seat."""
    page, expected = visitors.new_page(), states(name)
    replay(page, name, 0)
    last = len(expected) - 1
    for turn in (0, 1, 2, last // 2, last - 1, last):
        page.get_by_role("slider").fill(str(turn))
        for seat in range(expected[0].variant.seats):
            page.keyboard.press(str(seat + 1))
            assert page.evaluate(POSITION) == expected_position(expected[turn], seat), (turn, seat)


def test_replay_by_keyboard(visitors: Visitors) -> None:
    """Keys move through the turns, play and pause, choose the seat, and open all hands."""
    page = visitors.new_page()
    replay(page, "imperial-boar-3", 0)
    page.locator("main h1").focus()
    title = page.locator("main h1")
    for key, place in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", 54), ("Home", 0)):
        page.keyboard.press(key)
        expect(title).to_have_text(f"Turn {place} of 54")
    page.keyboard.press("Space")
    expect(title).to_have_text("Turn 2 of 54")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.keyboard.press("3")
    expect(page.locator(".point-of-view input[type=radio]").nth(2)).to_be_checked()
    assert page.locator(".revealed-hand").count() == 0
    page.keyboard.press("o")
    expect(page.locator(".revealed-hand")).to_have_count(2)


def test_each_turn_is_announced(visitors: Visitors) -> None:
    """A turn is announced and added to the log. Later turns are not shown."""
    page = visitors.new_page()
    replay(page, "ravensburger-base-2", 0)
    expect(page.locator(".turn-text")).to_have_text("Before the first turn")
    page.get_by_role("button", name="Next turn").click()
    record = parse_record((RECORDS / "ravensburger-base-2.json").read_bytes())
    square = record.turns[0].partition("-")[2][:2]
    expect(page.get_by_role("status")).to_contain_text(square)
    expect(page.locator(".log li")).to_have_count(1)


def test_scores_are_hidden_until_requested(visitors: Visitors) -> None:
    """Totals and winner are hidden until scores are requested; the winner is shown only at the end."""
    page, expected = visitors.new_page(), states("imperial-rewards-boar-4")
    replay(page, "imperial-rewards-boar-4", 72)
    assert page.locator(".score, .score-table, tfoot, .log b").count() == 0
    texts = page.locator(".log, p.turn-text, .missions")
    assert not any("point" in text or "worth" in text for text in texts.all_inner_texts())
    page.get_by_label("Show the scores").check()
    totals = [score.total for score in expected[-1].scores]
    assert [int(text) for text in page.locator("tfoot td").all_inner_texts()] == totals
    assert all("point" in text or "worth" in text for text in texts.all_inner_texts())
    expect(page.locator(".score-table p")).to_contain_text(" wins")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".score-table p")).to_have_count(0)


def test_a_record_can_be_pasted_or_dropped(visitors: Visitors) -> None:
    """A record can be pasted or dropped as a file, and a reload returns to the same turn."""
    page, text = visitors.new_page(), (RECORDS / "stopped-early.json").read_text(encoding="utf-8")
    page.goto("/replay")
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="Show").click()
    page.get_by_role("slider").fill("7")
    page.reload()
    expect(page.locator("main h1")).to_contain_text("Turn 7 of")
    page.get_by_role("button", name="Another record").click()
    files = page.evaluate_handle(DROPPED_FILE, text)
    page.dispatch_event(".drop", "drop", {"dataTransfer": files})
    expect(page.locator("main h1")).to_contain_text("Turn 0 of")


def test_an_invalid_record_is_explained(visitors: Visitors, tmp_path: Path) -> None:
    """The error names turn, rule and reason in the user's language, and the pasted text stays."""
    visitors.ignore_errors(REFUSED)
    page = visitors.new_page(language="de")
    record = json.loads((RECORDS / "ravensburger-base-2.json").read_bytes())
    record["turns"][2] = record["turns"][0]
    page.goto("/replay")
    page.locator("textarea").fill(json.dumps(record))
    page.locator("main form button").click()
    expect(page.locator(".refused")).to_contain_text("Zug 3")
    expect(page.locator(".refused")).to_contain_text("R14")
    assert json.loads(page.locator("textarea").input_value()) == record
    invalid = tmp_path / "invalid.json"
    invalid.write_text("{", encoding="utf-8")
    page.locator("input[type=file]").set_input_files(invalid)
    expect(page.locator(".refused")).not_to_contain_text("Zug 3")
    expect(page.locator(".refused")).to_have_text(re.compile(r"^[A-ZÄÖÜ].+\.$"))


def finished_table(page: Page) -> Json:
    """A finished table of two computers."""
    page.goto("/")
    page.get_by_role("main").get_by_role("button").first.wait_for()
    return dict(
        page.evaluate(
            """async () => {
              const ask = async (path, body) => (await fetch(path, body && {
                method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
              }));
              await ask("/api/guests", { name: "Ada" });
              const chair = { sitter: "computer", player: "level:1" };
              const table = await (await ask("/api/tables", { chairs: [chair, chair] })).json();
              for (let tries = 0; tries < 300; tries++) {
                const { stage } = await (await ask(`/api/tables/${table.table}`)).json();
                if (stage === "over") return table;
                await new Promise((resolve) => setTimeout(resolve, 200));
              }
              throw new Error("the game does not end");
            }"""
        )
    )


def test_a_link_to_a_turn_of_a_table(visitors: Visitors) -> None:
    """The link opens a turn for viewers that may see the table, and for nobody else."""
    visitors.ignore_errors("status of 404")
    ada, bob = visitors.new_page(), visitors.new_page(PHONE)
    table = finished_table(ada)
    ada.goto("/replay")
    ada.locator("main ul a").click()
    expect(ada.locator("main h1")).to_have_text("Turn 0 of 36")
    bob.goto(f"/replay#table={table['table']}&turn=23")
    expect(bob.locator("main h1")).not_to_contain_text("Turn")
    bob.goto("/")
    bob.goto(f"/replay#table={table['table']}&key={table['watch']}&turn=23")
    expect(bob.locator("main h1")).to_have_text("Turn 23 of 36")
    bob.get_by_role("button", name="Next turn").tap()
    expect(bob.locator("main h1")).to_have_text("Turn 24 of 36")
    assert bob.url.endswith("turn=24")


@pytest.mark.parametrize("seat", [2, 3])
def test_continuing_a_game_from_a_position(visitors: Visitors, seat: int) -> None:
    """Any seat with a turn left can be continued. The end names the origin, and the replay has all turns."""
    page, expected = visitors.new_page(), states("imperial-rewards-boar-4")
    replay(page, "imperial-rewards-boar-4", 70)
    page.get_by_role("button", name="Continue from here").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio").nth(seat).check(force=True)
    dialog.get_by_role("combobox").select_option("random")
    dialog.get_by_role("button", name="Play").click()
    page.wait_for_url("**/table/*")
    view = page.evaluate(FETCH_TABLE)
    assert view["origin"] == {"turn": 70} and view["you"]["seat"] == seat and view["commitment"] is None
    assert view["game"]["missions"][seat] == write_view(expected[70].view(seat))["missions"][seat]
    player = PagePlayer(page)
    assert player.wait_for_turn()
    player.stage()
    player.confirm()
    expect(text_on_screen(page, "continued from a record, after turn 70")).to_be_visible()
    page.get_by_role("link", name="Replay").click()
    expect(page.locator("main h1")).to_have_text("Turn 0 of 72")


def test_a_finished_game_cannot_be_continued(visitors: Visitors) -> None:
    """The button is disabled at the last turn and enabled before it."""
    page = visitors.new_page()
    replay(page, "ravensburger-base-2", 36)
    button = page.get_by_role("button", name="Continue from here")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.click(force=True)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    button.click()
    expect(page.get_by_role("dialog")).to_contain_text("turn 35")
