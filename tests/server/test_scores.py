"""For owners of the box: a real table is counted up, a boards file is checked, and nothing is kept."""

from typing import Any

import pytest

from sanssouci.editions import SHIPPED, shipped_boards, write_boards
from sanssouci.locale import LANGUAGES

from ..real_tables import RECORDS, real_table
from .house import House, housed

Json = dict[str, Any]


def parts(seat: Json) -> Json:
    """The points of a seat as a record has them."""
    return {
        "nobles": seat["track_nobles"],
        "rewards": seat["track_rewards"],
        "boar": seat["track_boar"] + seat["boar"],
        **{part: seat[part] for part in ("rows", "columns", "missions")},
    }


@housed()
async def test_a_golden_game_is_counted_as_its_record_says(house: House) -> None:
    """Every game's end, entered garden by garden: scores, parts, gardeners, winners."""
    before = house.rows()
    for path in RECORDS:
        table, result = real_table(path)
        said = (await house.nobody().ask("POST", "/api/scores", table)).json()
        found = {
            "scores": [seat["total"] for seat in said["seats"]],
            "gardeners": [seat["gardeners"] for seat in said["seats"]],
            "winners": said["winners"],
            "parts": [parts(seat) for seat in said["seats"]],
        }
        assert found == result and said["finished"], path.stem
        assert not any(seat["refusals"] for seat in said["seats"])
    assert RECORDS and house.rows() == before


@pytest.mark.parametrize("language", LANGUAGES)
@housed()
async def test_what_cannot_be_is_told_with_its_rule(house: House, language: str) -> None:
    """In the reader's language; the points are told, and nobody wins."""
    table, _ = real_table(RECORDS[0])
    own = table["seats"][0]
    stray = own["gardeners"][0]
    own["nobles"] = [*(square for square in own["nobles"] if square[0] != stray[0]), stray]
    said = (await house.nobody().ask("POST", "/api/scores", table, accept_language=language)).json()
    (refusal,) = said["seats"][0]["refusals"]
    assert refusal["code"] == "refusal.noble_on_gardener" and refusal["rule"] == "R20"
    assert stray in refusal["sentence"] and refusal["sentence"].startswith("R20: ")
    assert said["winners"] == [] and said["seats"][1]["refusals"] == []


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"seats": []}, "server.malformed"),
        ({"seats": [{"built": ["z9"], "track": 0}] * 2}, "server.malformed"),
        ({"seats": [{"built": [], "track": -1}] * 2}, "server.malformed"),
        ({"seats": [{"built": ["a1", "a1"], "track": 0}] * 2}, "notation.square_twice"),
        (
            {"seats": [{"built": [], "track": 0, "rewards": {"a1": "+1"}}] * 2},
            "notation.not_under_reward_board",
        ),
        ({"expansions": ["wild_boar"]}, "refusal.boar_not_in_edition"),
    ],
)
@housed()
async def test_what_is_no_table_is_refused_as_a_whole(house: House, change: Json, code: str) -> None:
    """Malformed, or a game that nobody can play."""
    table = {"edition": "ravensburger", "seats": [{"built": [], "track": 0}] * 2, **change}
    answer = await house.nobody().ask("POST", "/api/scores", table)
    assert answer.status_code in (400, 422) and answer.json()["error"]["code"] == code


@housed()
async def test_a_boards_file_is_checked_as_the_command_does(house: House) -> None:
    """What it holds, or what is wrong in which field; a set that is supplied can be had by name."""
    nobody = house.nobody()
    for name in SHIPPED:
        boards = shipped_boards(name)
        checked = (await nobody.ask("POST", "/api/boards", {"file": write_boards(boards)})).json()
        assert checked["sha256"] == boards.sha256 and checked["rewards"] == boards.layouts()["rewards"]
        assert checked == (await nobody.ask("GET", f"/api/boards/{name}")).json()
    broken = write_boards(shipped_boards("parterre")).replace('"+1"', '"+9"', 1)
    wrong = await nobody.ask("POST", "/api/boards", {"file": broken})
    assert wrong.status_code == 422 and "boards.rewards.1.front" in wrong.json()["error"]["sentence"]
