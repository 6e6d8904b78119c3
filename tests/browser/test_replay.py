"""Replays: golden records on the page, position by position as the rules have them; nothing is given away."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from sanssouci.notation import parse_record, write_view
from sanssouci.notation import replay as replayed
from sanssouci.rules import State

from .guests import PHONE, Guests
from .hands import Hand
from .recorded import RECORDS, replay

Json = dict[str, Any]
SEEN = """() => {
  const within = (kind) => [...document.querySelectorAll(`.garden [data-square] > ${kind}`)]
    .map((found) => found.closest("[data-square]").dataset.square).sort();
  return {
    built: within(".figure"), gardeners: within(".figure.gardener"), nobles: within(".noble"),
    boar: within(".boar")[0] ?? null,
    hand: [...document.querySelectorAll(".own [data-card]")].map((card) => card.dataset.card),
    empty: document.querySelectorAll("[data-space]:not(:has(.tile))").length,
    told: document.querySelectorAll(".log li").length,
  };
}"""
"""The large garden, the hand below it, the display and the log, as the page has drawn them."""
DROPPED = """text => {
  const found = new DataTransfer();
  found.items.add(new File([text], "game.json"));
  return found;
}"""
LOOKED_AT = "async () => (await fetch(location.pathname.replace('/table/', '/api/tables/'))).json()"
REFUSED = "status of 422"


def states(name: str) -> list[State]:
    """The states that the rules give for a golden record."""
    record = parse_record((RECORDS / f"{name}.json").read_bytes())
    return [record.deal.start(), *(state for _, state in replayed(record))]


def meant(state: State, seat: int) -> Json:
    """What is to be seen from a seat."""
    view = write_view(state.view(seat))
    garden = view["gardens"][seat]
    found = {part: sorted(garden[part]) for part in ("built", "gardeners", "nobles")}
    empty = view["display"].count(None)
    return {**found, "boar": garden["boar"], "hand": view["hand"], "empty": empty, "told": state.turn}


@pytest.mark.parametrize("name", ["imperial-rewards-boar-4", "ravensburger-base-2", "stopped-early"])
def test_positions_are_those_of_the_rules(guests: Guests, name: str) -> None:
    """From every seat's eyes, at the start, in between and at the end."""
    page, wanted = guests.comes(), states(name)
    replay(page, name, 0)
    last = len(wanted) - 1
    for turn in (0, 1, 2, last // 2, last - 1, last):
        page.get_by_role("slider").fill(str(turn))
        for seat in range(wanted[0].variant.seats):
            page.keyboard.press(str(seat + 1))
            assert page.evaluate(SEEN) == meant(wanted[turn], seat), (turn, seat)


def test_the_keyboard_is_enough(guests: Guests) -> None:
    """Forth and back, to both ends, playing and pausing, everyone's eyes, everything open, the scores."""
    page = guests.comes()
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
    expect(page.locator(".eyes input[type=radio]").nth(2)).to_be_checked()
    assert page.locator(".has").count() == 0
    page.keyboard.press("o")
    expect(page.locator(".has")).to_have_count(2)


def test_the_turn_is_told_as_it_comes(guests: Guests) -> None:
    """In words, where a screen reader hears it, and in its log line; nothing of the turns to come."""
    page = guests.comes()
    replay(page, "ravensburger-base-2", 0)
    expect(page.locator(".deed")).to_have_text("Before the first turn")
    page.get_by_role("button", name="Next turn").click()
    record = parse_record((RECORDS / "ravensburger-base-2.json").read_bytes())
    square = record.turns[0].partition("-")[2][:2]
    expect(page.get_by_role("status")).to_contain_text(square)
    expect(page.locator(".log li")).to_have_count(1)


def test_nobody_is_told_how_it_ends(guests: Guests) -> None:
    """No total, no winner, until the scores are asked for; then the winner only at the end."""
    page, wanted = guests.comes(), states("imperial-rewards-boar-4")
    replay(page, "imperial-rewards-boar-4", 72)
    assert page.locator(".score, .parts, tfoot, .log b").count() == 0
    told = page.locator(".log, p.deed, .missions")
    assert not any("point" in text or "worth" in text for text in told.all_inner_texts())
    page.get_by_label("Show the scores").check()
    totals = [score.total for score in wanted[-1].scores]
    assert [int(text) for text in page.locator("tfoot td").all_inner_texts()] == totals
    assert all("point" in text or "worth" in text for text in told.all_inner_texts())
    expect(page.locator(".parts p")).to_contain_text(" wins")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".parts p")).to_have_count(0)


def test_a_record_can_be_pasted_or_dropped(guests: Guests) -> None:
    """As text, and as a file from elsewhere; a reload comes back to the same turn."""
    page, text = guests.comes(), (RECORDS / "stopped-early.json").read_text(encoding="utf-8")
    page.goto("/replay")
    page.locator("textarea").fill(text)
    page.get_by_role("button", name="Show").click()
    page.get_by_role("slider").fill("7")
    page.reload()
    expect(page.locator("main h1")).to_contain_text("Turn 7 of")
    page.get_by_role("button", name="Another record").click()
    files = page.evaluate_handle(DROPPED, text)
    page.dispatch_event(".drop", "drop", {"dataTransfer": files})
    expect(page.locator("main h1")).to_contain_text("Turn 0 of")


def test_a_broken_record_says_why(guests: Guests, tmp_path: Path) -> None:
    """The turn, its rule and the reason, in the reader's language; what was pasted is still there."""
    guests.forgive(REFUSED)
    page = guests.comes(language="de")
    record = json.loads((RECORDS / "ravensburger-base-2.json").read_bytes())
    record["turns"][2] = record["turns"][0]
    page.goto("/replay")
    page.locator("textarea").fill(json.dumps(record))
    page.locator("main form button").click()
    expect(page.locator(".refused")).to_contain_text("Zug 3")
    expect(page.locator(".refused")).to_contain_text("R14")
    assert json.loads(page.locator("textarea").input_value()) == record
    none = tmp_path / "none.json"
    none.write_text("{", encoding="utf-8")
    page.locator("input[type=file]").set_input_files(none)
    expect(page.locator(".refused")).not_to_contain_text("Zug 3")
    expect(page.locator(".refused")).not_to_be_empty()


def finished_table(page: Page) -> Json:
    """A table at which two computers have played to the end."""
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
              const made = await (await ask("/api/tables", { chairs: [chair, chair] })).json();
              for (let tries = 0; tries < 300; tries++) {
                const { stage } = await (await ask(`/api/tables/${made.table}`)).json();
                if (stage === "over") return made;
                await new Promise((resolve) => setTimeout(resolve, 200));
              }
              throw new Error("the game does not end");
            }"""
        )
    )


def test_a_link_leads_to_a_turn_of_a_table(guests: Guests) -> None:
    """For whoever may see the table; for others there is none."""
    guests.forgive("status of 404")
    ada, bob = guests.comes(), guests.comes(PHONE)
    made = finished_table(ada)
    ada.goto("/replay")
    ada.locator("main ul a").click()
    expect(ada.locator("main h1")).to_have_text("Turn 0 of 36")
    bob.goto(f"/replay#table={made['table']}&turn=23")
    expect(bob.locator("main h1")).not_to_contain_text("Turn")
    bob.goto("/")
    bob.goto(f"/replay#table={made['table']}&key={made['watch']}&turn=23")
    expect(bob.locator("main h1")).to_have_text("Turn 23 of 36")
    bob.get_by_role("button", name="Next turn").tap()
    expect(bob.locator("main h1")).to_have_text("Turn 24 of 36")
    assert bob.url.endswith("turn=24")


@pytest.mark.parametrize("seat", [2, 3])
def test_a_game_is_played_on_from_a_position(guests: Guests, seat: int) -> None:
    """As any seat that has a turn left; the end says where the game came from, and has all turns."""
    page, wanted = guests.comes(), states("imperial-rewards-boar-4")
    replay(page, "imperial-rewards-boar-4", 70)
    page.get_by_role("button", name="Continue from here").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("radio").nth(seat).check(force=True)
    dialog.get_by_role("combobox").select_option("random")
    dialog.get_by_role("button", name="Play").click()
    page.wait_for_url("**/table/*")
    view = page.evaluate(LOOKED_AT)
    assert view["origin"] == {"turn": 70} and view["you"]["seat"] == seat and view["commitment"] is None
    assert view["game"]["missions"][seat] == write_view(wanted[70].view(seat))["missions"][seat]
    hand = Hand(page)
    assert hand.wait_for_turn()
    hand.stage()
    hand.confirm()
    expect(page.get_by_text("continued from a record, after turn 70")).to_be_visible()
    page.get_by_role("link", name="Replay").click()
    expect(page.locator("main h1")).to_have_text("Turn 0 of 72")


def test_nothing_is_played_on_after_the_end(guests: Guests) -> None:
    """There the button says no; a turn before it does not."""
    page = guests.comes()
    replay(page, "ravensburger-base-2", 36)
    button = page.get_by_role("button", name="Continue from here")
    expect(button).to_have_attribute("aria-disabled", "true")
    button.click(force=True)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.keyboard.press("ArrowLeft")
    button.click()
    expect(page.get_by_role("dialog")).to_contain_text("turn 35")
