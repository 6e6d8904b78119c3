"""Every screen: no text is cut off or covered at any size in any language, and axe finds nothing.

A screen is loaded once and then changes size, language and theme, as a user would change them. German has the
longest words and is checked at every size, the other languages at three sizes. The exhaustive test reloads
the page for every combination: ``make test-all``.
"""

from copy import deepcopy
from typing import Literal
from unittest.mock import patch

import pytest
from playwright.sync_api import Page, expect

from . import recorded_tables
from .layout_checks import NEXT_FRAMES, faults, remove_art, resize, scrolls, set_language, violations
from .screens import SCREENS, TABLES, fullest_turn
from .visitors import DESK, PHONE, TABLET, Size, Visitors

LONGEST_LANGUAGE = "de"
LANGUAGES = (LONGEST_LANGUAGE, "fr", "es", "en")
ZOOMED = (DESK[0] // 2, DESK[1] // 2)
"""The viewport of a desktop at 200 % zoom (WCAG 1.4.4, 1.4.10)."""
SIZES = {
    "desk": DESK,
    "tablet": TABLET,
    "phone": PHONE,
    "zoomed": ZOOMED,
    "small phone": (360, 740),
    "smallest phone": (320, 568),
}
LANDSCAPE = {"phone on its side": (844, 390)}
"""An additional size for the table, which has a layout for it."""
SMALL_LAPTOP = {"small laptop": (1024, 768)}
"""An additional size for the table, which has the least room there."""
EXPECTED_ERRORS = "status of (404|422)|ERR_FAILED"
"""Console errors of missing tables, refused requests and cut connections."""
PARTS = {"menu": ".menu"}
"""Checked parts of screens with an overlay, as the elements below it are covered."""
RELOADED_SCREENS = {"refused", "hint", "record", "scores-refused", "review", "review-of-two"}
"""Screens with a text in the language of an earlier request, which must be reloaded."""
EACH_SCREEN = pytest.mark.parametrize("screen", SCREENS)
EACH_LANGUAGE = pytest.mark.parametrize("language", LANGUAGES)


def sizes_of(screen: str) -> dict[str, Size]:
    """The sizes at which a screen is checked, by name."""
    return SIZES | LANDSCAPE | SMALL_LAPTOP if screen in TABLES else SIZES


def quick_sizes_of(screen: str, language: str) -> dict[str, Size]:
    """The sizes that are checked in a language without reloading."""
    sizes = sizes_of(screen)
    return (
        sizes if language == LONGEST_LANGUAGE else {size: sizes[size] for size in ("desk", "phone", "zoomed")}
    )


def layout_faults(page: Page, screen: str, size: str) -> list[str]:
    """The layout faults of a page that already has this size."""
    found = faults(page)
    if size == "desk" and (screen in TABLES or screen == "start") and scrolls(page):
        found.append("the page scrolls")
    return [f"{size}: {fault}" for fault in found]


def _opened(visitors: Visitors, screen: str, language: str) -> Page:
    page = visitors.new_page(language=language)
    SCREENS[screen](page)
    remove_art(page)
    return page


@EACH_SCREEN
def test_screen_layout_and_accessibility(visitors: Visitors, screen: str) -> None:
    """No text is cut off or covered, and the screen meets WCAG 2.2 AA, light and dark."""
    visitors.ignore_errors(EXPECTED_ERRORS)
    found = []
    page = _opened(visitors, screen, LONGEST_LANGUAGE)
    for language in LANGUAGES:
        if screen not in RELOADED_SCREENS:
            set_language(page, language)
        elif language != LONGEST_LANGUAGE:
            page.context.close()
            page = _opened(visitors, screen, language)
        for size, window in quick_sizes_of(screen, language).items():
            resize(page, window)
            found += [f"{language}, {fault}" for fault in layout_faults(page, screen, size)]

    part = PARTS.get(screen, "html")
    resize(page, DESK)
    found += [f"light desk: {fault}" for fault in violations(page, part)]
    resize(page, PHONE)
    page.emulate_media(color_scheme="dark")
    found += [f"dark phone: {fault}" for fault in violations(page, part, about="colours and sizes")]
    assert found == []


@pytest.mark.exhaustive
@EACH_SCREEN
@EACH_LANGUAGE
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_screen_layout_when_reloaded(
    visitors: Visitors, screen: str, language: str, theme: Literal["light", "dark"]
) -> None:
    """Every combination of size, language and theme is correct when loaded directly."""
    visitors.ignore_errors(EXPECTED_ERRORS)
    found = []
    for size, window in sizes_of(screen).items():
        page = visitors.new_page(size=window, language=language, scheme=theme)
        SCREENS[screen](page)
        found += layout_faults(page, screen, size)
        if size in ("desk", "phone"):
            found += [f"{size}: {fault}" for fault in violations(page, PARTS.get(screen, "html"))]
        page.context.close()
    assert found == []


@EACH_LANGUAGE
def test_all_texts_of_a_turn_are_visible(visitors: Visitors, language: str) -> None:
    """At each step of the fullest turn, nothing in the turn bar scrolls, and Confirm and garden are visible.

    The turn bar is next to the garden or covers little of the height. Texts begin with a capital letter.
    """
    page = visitors.new_page(language=language)
    found, steps = [], []
    for step in fullest_turn(page):
        steps.append(step)
        remove_art(page)
        found += [text for text in page.locator(".points > *").all_inner_texts() if text[0].islower()]
        for size, (width, height) in (SIZES | LANDSCAPE | SMALL_LAPTOP).items():
            resize(page, (width, height))
            found += [f"{step}, {size}: {fault}" for fault in faults(page)]
            bar, confirm, garden = (
                page.locator(part).bounding_box() for part in (".staging", ".turn button.main", ".garden")
            )
            assert bar and confirm and garden
            covers = bar["height"] > 0.35 * height and bar["x"] < garden["x"] + garden["width"]
            if confirm["y"] + confirm["height"] > height or covers:
                found.append(f"{step}, {size}: the bar {bar}, Confirm {confirm}")
        resize(page, DESK)
    assert steps == ["space", "square", "noble", ""] and found == []


def test_all_texts_of_a_turn_are_visible_on_a_large_touch_screen(visitors: Visitors) -> None:
    """Its larger buttons leave the explanations their room."""
    page = visitors.new_page(PHONE)
    SCREENS["fullest-turn"](page)
    resize(page, (1440, 900))
    for language in ("de", "fr"):
        set_language(page, language)
        assert faults(page) == [], language


def test_all_texts_of_a_turn_of_two_players_are_visible(visitors: Visitors) -> None:
    """The bar is narrowest there: a gardener on a square with a reward, and a noble."""
    page = visitors.new_page(language="fr")
    view, events = deepcopy(recorded_tables.game_at("ravensburger-2", 1))
    view["game"]["gardens"][1]["rewards"] = {"e4": "+2"}
    view["game"]["display"][1] = "h"
    recorded_tables.open_table(page, view, events)
    for step in (
        "[data-card='25']",
        "[data-space='1']",
        "[role=gridcell][data-square=e4]",
        "[data-target=stop] >> nth=-1",
    ):
        page.locator(step).click()
    found = []
    for language in ("fr", "de", "es"):
        set_language(page, language)
        for window in (DESK, (1280, 720), (1280, 800), (1440, 900), (1536, 864), *SMALL_LAPTOP.values()):
            resize(page, window)
            found += [f"{language}, {window}: {fault}" for fault in faults(page)]
    assert found == []


@pytest.mark.parametrize("screen", ["setting-up", "lobby-unanswered"])
def test_titles_have_a_light_ground_in_low_windows(visitors: Visitors, screen: str) -> None:
    """Where a hedge is behind the title, it stands on paper."""
    page = visitors.new_page(LANDSCAPE["phone on its side"])
    SCREENS[screen](page)
    ground = page.locator("main h1").evaluate(
        """title => getComputedStyle(title.closest("header") ?? title).backgroundColor"""
    )
    assert ground != "rgba(0, 0, 0, 0)"


def test_a_chair_shows_what_it_offers(visitors: Visitors) -> None:
    """The kinds of players are in one line, and the level of a computer player is not cut off."""
    for language in ("en", "de", "fr", "es"):
        page = visitors.new_page((1024, 768), language)
        SCREENS["setting-up-more"](page)
        for width in (1024, 1366, 820):
            resize(page, (width, 768))
            for chair in page.locator(".chair").all():
                tops = chair.locator(".segmented label").evaluate_all(
                    "labels => labels.map((label) => label.offsetTop)"
                )
                assert len(set(tops)) == 1, (language, width)
            for select in page.locator(".chair select").all():
                assert select.evaluate("({ clientWidth }) => clientWidth") >= 160, (language, width)
        page.context.close()


def test_the_hint_of_a_lesson_leaves_the_verdict_visible(visitors: Visitors) -> None:
    """On a phone on its side, verdict and reasons are below each other next to the garden."""
    page = visitors.new_page(LANDSCAPE["phone on its side"], "de")
    SCREENS["lesson-shown"](page)
    verdict, hint = (page.locator(part).bounding_box() for part in (".verdict", ".hint-panel"))
    assert verdict and hint and verdict["y"] + verdict["height"] <= hint["y"]
    page.locator(".hint .reasons li").last.scroll_into_view_if_needed()
    garden = page.locator(".garden").bounding_box()
    assert garden and garden["y"] >= 0 and garden["y"] + garden["height"] <= 390


INNER_PAGES = ("scores", "daily", "learn", "lessons", "statistics-none", "boards", "review-in-work", "record")


@pytest.mark.parametrize("screen", INNER_PAGES)
def test_a_page_has_the_garden_around_it(visitors: Visitors, screen: str) -> None:
    """The garden fills the window behind a page, however short the page is."""
    visitors.ignore_errors(EXPECTED_ERRORS)
    page = visitors.new_page((1440, 900))
    SCREENS[screen](page)
    expect(page.locator("main header .vignette > svg").first).to_be_visible()
    picture = page.locator(".backdrop .garden-scene").bounding_box()
    assert picture and (picture["width"], picture["height"]) == (1440, 900)


def test_vignettes_show_their_motif(visitors: Visitors) -> None:
    """The picture above a page is as wide as the page, and cuts off neither its motif nor a tree."""
    page = visitors.new_page()
    for screen in ("scores", "daily"):
        SCREENS[screen](page)
        frame, picture = page.locator("header .vignette").first, page.locator("header .vignette > svg")
        for width in (320, 1366, 2000):
            resize(page, (width, 900))
            around, motif = frame.bounding_box(), picture.locator("> .motif").last.bounding_box()
            assert around and motif, (screen, width)
            assert motif["y"] >= around["y"] and motif["height"] > around["height"] / 2, (screen, width)
            for part in (".sky", ".hill", ".hedge"):
                box = picture.locator(part).bounding_box()
                assert box and box["x"] <= around["x"] + 1, (screen, width, part)
                assert box["x"] + box["width"] >= around["x"] + around["width"] - 1, (screen, width, part)
            trees = picture.locator("> .motif").evaluate_all(
                """trees => trees.map((tree) => {
                  const { left, right } = tree.getBoundingClientRect();
                  return [left, right];
                })"""
            )
            assert len(trees) >= 3, (screen, width)
            assert min(left for left, _ in trees) >= around["x"], (screen, width)
            assert max(right for _, right in trees) <= around["x"] + around["width"], (screen, width)


LARGE_GARDEN = 740 * 566 * 6 / 5
"""A fifth more than the garden had in 1440 × 900 before the log could be folded, in square pixels."""


@pytest.mark.parametrize(
    "screen", ["table", "four-seats", "staged", "hint", "guided", "lesson", "lesson-shown"]
)
def test_the_garden_is_the_largest_thing_on_the_screen(visitors: Visitors, screen: str) -> None:
    """On a usual laptop, the own garden is large, and no other part of the table is half as large."""
    page = visitors.new_page((1440, 900))
    SCREENS[screen](page)
    area = {
        part: box["width"] * box["height"]
        for part in (".garden", ".others", ".sidebar", ".display-column", ".table > footer")
        if (box := page.locator(part).first.bounding_box())
    }
    garden = area.pop(".garden")
    assert garden >= LARGE_GARDEN and max(area.values()) < garden / 2, area
    resize(page, SMALL_LAPTOP["small laptop"])
    small = page.locator(".garden").bounding_box()
    assert small and small["width"] * small["height"] >= 1024 * 768 / 3.1, small


def test_log_and_scores_fold_for_good(visitors: Visitors) -> None:
    """A folded log makes the garden larger. Log and scores are as they were left after a reload."""
    page = visitors.new_page((1600, 900))
    SCREENS["four-seats"](page)
    garden, log = page.locator(".garden"), page.locator(".log")
    scores = page.locator(".score-table")
    small = garden.bounding_box()
    scores.locator("summary").click()
    page.get_by_role("button", name="Turns and scores").click()
    expect(log).not_to_be_visible()
    large = garden.bounding_box()
    assert small and large and large["width"] > small["width"]
    page.reload()
    expect(page.get_by_role("button", name="Turns and scores")).to_have_attribute("aria-expanded", "false")
    page.get_by_role("button", name="Turns and scores").click()
    expect(log).to_be_visible()
    expect(scores).not_to_have_attribute("open", "")


def test_recent_turns_scores_and_log_of_several_players_are_visible(visitors: Visitors) -> None:
    """On a usual laptop, nothing has to be unfolded, and a hint moves neither garden nor others."""
    page = visitors.new_page((1440, 900))
    SCREENS["four-seats"](page)
    for part in (".recent", ".score-table tfoot", ".log"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    SCREENS["hint"](page)

    def places() -> list[object]:
        return [page.locator(part).bounding_box() for part in (".garden", ".others", ".display")]

    with_hint = places()
    page.locator(".hint .close").click()
    expect(page.locator(".hint")).to_have_count(0)
    assert places() == with_hint
    seat = page.locator("button.seat").first.bounding_box()
    assert seat and seat["width"] >= 205


@pytest.mark.parametrize("window", [(1280, 1024), (1112, 834), (1024, 768)])
def test_recent_turns_are_visible_next_to_a_folded_log(visitors: Visitors, window: Size) -> None:
    """They are above the pouch and hide nothing."""
    page = visitors.new_page(window, "fr")
    SCREENS["four-seats"](page)
    expect(page.get_by_role("button", name="Tours", exact=False).last).to_have_attribute(
        "aria-expanded", "false"
    )
    recent, pouch = (page.locator(part).bounding_box() for part in (".recent", ".pouch"))
    assert recent and pouch and recent["y"] + recent["height"] <= pouch["y"]


def test_typing_a_turn_leaves_the_prompt_visible(visitors: Visitors) -> None:
    """The field is below the prompt and next to its title."""
    page = visitors.new_page((1440, 900), "de")
    SCREENS["typed"](page)
    for window in ((1440, 900), DESK, (1024, 768), (768, 1024)):
        resize(page, window)
        page.locator(".typed input").scroll_into_view_if_needed()
        expect(page.locator(".prompt")).to_be_in_viewport(ratio=1)
        prompt, field = (page.locator(part).bounding_box() for part in (".prompt", ".typed input"))
        assert prompt and field and prompt["y"] + prompt["height"] <= field["y"], window


def test_the_log_of_a_replay_shows_its_turn(visitors: Visitors) -> None:
    """Also after the scores have made the log lower."""
    page = visitors.new_page((1440, 900))
    SCREENS["replay-open"](page)
    expect(page.locator(".log li").last).to_be_in_viewport(ratio=1)


OTHER_SIZES = (
    *((1024, 768), (1112, 834), (1093, 614), (960, 540), (911, 512), (1280, 640)),
    *((932, 430), (740, 360), (667, 375), (360, 740), (320, 568)),
)
"""Landscape tablets, laptops with large type, low windows, landscape and small phones."""


UPRIGHT_TABLETS = ((768, 1024), (768, 954), (834, 1112), (744, 1133))


@pytest.mark.parametrize("screen", ["table", "four-seats"])
def test_a_turn_fits_on_an_upright_tablet(visitors: Visitors, screen: str) -> None:
    """All gardens, the hand and Confirm are on the screen at once."""
    page = visitors.new_page(UPRIGHT_TABLETS[0], "fr")
    SCREENS[screen](page)
    for window in UPRIGHT_TABLETS:
        resize(page, window)
        parts = [
            page.locator(part).first.bounding_box()
            for part in ("button.seat", ".garden", ".turn button.main")
        ]
        outside = [box for box in parts if not box or box["y"] < 0 or box["y"] + box["height"] > window[1]]
        assert outside == [], window
        garden = parts[1]
        assert garden and garden["width"] > 0.5 * window[0]


def test_the_points_of_a_staged_noble_hide_no_other_noble(visitors: Visitors) -> None:
    """On the smallest squares, they extend to the next square, where another noble may stand."""
    page = visitors.new_page(SIZES["smallest phone"])
    SCREENS["table"](page)
    page.locator("[data-space='7']").click()
    page.locator("[role=gridcell][data-square=e2]").click()
    assert "f2" in recorded_tables.game_at("ravensburger-2", 1)[0]["game"]["gardens"][1]["nobles"]
    page.locator(".staged span.noble").wait_for()
    assert [fault for fault in faults(page) if "badges" in fault] == []


def test_no_name_on_a_card_is_broken(visitors: Visitors) -> None:
    """The longest names are German. Between their parts they may be hyphenated."""
    page = visitors.new_page(language="de")
    view, events = deepcopy(recorded_tables.game_at("ravensburger-2", 1))
    for hand in (["h", "g"], ["i", "a"]):
        view["game"]["hand"], view["options"]["cards"] = hand, {card: [] for card in hand}
        recorded_tables.open_table(page, view, events)
        page.locator(".turn").wait_for()
        for window in (*SIZES.values(), *OTHER_SIZES, (768, 1024), (1440, 900)):
            resize(page, window)
            assert [fault for fault in faults(page) if "broken" in fault] == [], (hand, window)


def test_confirm_is_visible_at_every_size(visitors: Visitors) -> None:
    """Confirm is visible at each step of the fullest turn in German. Only explanations may scroll."""
    page = visitors.new_page(language="de")
    found = []
    for step in fullest_turn(page):
        for window in OTHER_SIZES:
            resize(page, window)
            confirm = page.locator(".turn button.main")
            visible = confirm.evaluate(
                """button => {
                  const { x, y, width, height } = button.getBoundingClientRect();
                  return document.elementFromPoint(x + width / 2, y + height - 3) === button;
                }"""
            )
            if not visible:
                found.append(f"{step}, {window}")
        resize(page, DESK)
    assert found == []


@pytest.mark.parametrize("window", [(320, 568), (740, 360), (844, 390)])
def test_the_whole_menu_can_be_reached(visitors: Visitors, window: Size) -> None:
    """On the smallest screens, no button of the game menu is outside the window."""
    page = visitors.new_page(window, "de")
    SCREENS["menu"](page)
    for button in page.locator(".menu .sheet button:visible").all():
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box and box["y"] >= 0 and box["y"] + box["height"] <= window[1], button.inner_text()


@pytest.mark.parametrize("size", ["phone", "small phone", "smallest phone"])
def test_the_whole_menu_is_in_front_of_a_scrolled_page(visitors: Visitors, size: str) -> None:
    """No button of the game menu is behind the sticky header, however far the page is scrolled."""
    page = visitors.new_page(SIZES[size], "de")
    for screen in ("table", "four-seats"):
        SCREENS[screen](page)
        menu = page.locator(".menu summary")
        menu.click()
        for place in ("0", "document.body.scrollHeight"):
            page.evaluate(f"scrollTo(0, {place})")
            page.evaluate(NEXT_FRAMES)
            covered = page.locator(".menu .sheet button:visible").evaluate_all(
                """buttons => buttons.filter((button) => {
                  const { x, y, width, height } = button.getBoundingClientRect();
                  return document.elementFromPoint(x + width / 2, y + height / 2) !== button;
                }).map((button) => button.textContent)"""
            )
            assert covered == [], (screen, place)


def test_the_buttons_of_an_idle_turn_are_in_one_line(visitors: Visitors) -> None:
    """On phones, Confirm and the tools next to it have the same height, however long the prompt is."""
    for language in ("de", "fr"):
        page = visitors.new_page(SIZES["smallest phone"], language)
        SCREENS["table"](page)
        for window in ((320, 568), (360, 740), (390, 844)):
            resize(page, window)
            boxes = page.locator(".turn .main, .tools .button:visible").evaluate_all(
                """buttons => buttons.map((button) => {
                  const { y, height } = button.getBoundingClientRect();
                  return [y, height];
                })"""
            )
            assert len(boxes) == 3 and len({tuple(box) for box in boxes}) == 1, (language, window, boxes)
        page.context.close()


@pytest.mark.parametrize("window", [(320, 568), (360, 740)])
def test_points_leave_the_motif_visible(visitors: Visitors, window: Size) -> None:
    """On small squares, the points of a stop are legible and cover at most a fifth of the square."""
    page = visitors.new_page(window)
    SCREENS["staged"](page)
    badges = page.locator(".garden .ring b").evaluate_all(
        """badges => badges.map((badge) => {
          const one = badge.getBoundingClientRect();
          const square = badge.closest(".markers").getBoundingClientRect();
          const width = Math.min(one.right, square.right) - Math.max(one.left, square.left);
          const height = Math.min(one.bottom, square.bottom) - Math.max(one.top, square.top);
          const size = parseFloat(getComputedStyle(badge).fontSize);
          return { covered: (width * height) / (square.width * square.height), size };
        })"""
    )
    assert badges and all(badge["covered"] <= 0.2 and badge["size"] >= 11 for badge in badges), badges


@pytest.mark.parametrize("window", [DESK, (1024, 768)])
def test_score_tables_show_usual_names(visitors: Visitors, window: Size) -> None:
    """A name of ten letters is complete, and the names above two columns are in one line."""
    with patch.object(recorded_tables, "NAMES", ("Gast", "Friederike")):
        page = visitors.new_page(window, "de")
        SCREENS["table"](page)
    names = page.locator(".score-table .seat-name").evaluate_all(
        """names => names.map((name) => ({
          hidden: name.scrollWidth - name.clientWidth,
          top: name.getBoundingClientRect().top,
        }))"""
    )
    assert [name["hidden"] for name in names] == [0, 0] and names[0]["top"] == names[1]["top"], names


@pytest.mark.parametrize("screen", ["table", "staged", "four-seats-staged", "refused"])
def test_the_smallest_phone_shows_hand_and_turn(visitors: Visitors, screen: str) -> None:
    """Garden, display, hand and turn fit below each other; only the top bar is scrolled away."""
    page = visitors.new_page(SIZES["smallest phone"], "de")
    SCREENS[screen](page)
    garden, hand, missions, bar = (
        page.locator(part).bounding_box() for part in (".garden", ".hand", ".missions", ".turn-area")
    )
    assert garden and hand and missions and bar
    assert garden["y"] >= 0
    assert max(part["y"] + part["height"] for part in (hand, missions)) <= bar["y"]


@pytest.mark.parametrize("size", ["small phone", "smallest phone"])
@pytest.mark.parametrize("screen", ["fullest-turn", "long-names", "lesson", "guided"])
def test_the_turn_covers_no_card(visitors: Visitors, screen: str, size: str) -> None:
    """The page scrolls where a turn or a vote would cover the hand. The terrace stays visible."""
    page = visitors.new_page(SIZES[size], "de")
    SCREENS[screen](page)
    assert [fault for fault in faults(page) if "the turn" in fault] == []


@pytest.mark.parametrize("window", [TABLET, (768, 1024)])
def test_confirm_is_visible_next_to_take_back(visitors: Visitors, window: Size) -> None:
    """On upright tablets, three buttons next to the hand make the turn no higher than two."""
    page = visitors.new_page(window, "de")
    view, events = deepcopy(recorded_tables.game_at("ravensburger-2", 1))
    view["you"]["may"].append("take_back")
    recorded_tables.open_table(page, view, events)
    page.locator(".tools .back").wait_for()
    confirm = page.locator(".turn button.main").bounding_box()
    assert confirm and confirm["y"] + confirm["height"] <= window[1]
