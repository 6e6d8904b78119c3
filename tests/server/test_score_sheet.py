"""Score sheets and boards files of a physical game: computed and checked, never stored."""

from typing import Any

import pytest

from sanssouci.editions import SHIPPED, shipped_boards, write_boards
from sanssouci.locale import LANGUAGES

from ..harness.server import InProcessServer, with_server
from ..score_sheets import RECORDS, real_table

Json = dict[str, Any]


def parts(seat: Json) -> Json:
    """The points of a seat in the form of a record."""
    return {
        "nobles": seat["track_nobles"],
        "rewards": seat["track_rewards"],
        "boar": seat["track_boar"] + seat["boar"],
        **{part: seat[part] for part in ("rows", "columns", "missions")},
    }


@with_server()
async def test_golden_games_are_scored_as_recorded(server: InProcessServer) -> None:
    """The final gardens of every golden record give its scores, parts, gardeners and winners."""
    before = server.rows()
    for path in RECORDS:
        table, result = real_table(path)
        response = (await server.client().request("POST", "/api/scores", table)).json()
        found = {
            "scores": [seat["total"] for seat in response["seats"]],
            "gardeners": [seat["gardeners"] for seat in response["seats"]],
            "winners": response["winners"],
            "parts": [parts(seat) for seat in response["seats"]],
        }
        assert found == result and response["finished"], path.stem
        assert not any(seat["refusals"] for seat in response["seats"])
    assert RECORDS and server.rows() == before


@pytest.mark.parametrize("language", LANGUAGES)
@with_server()
async def test_an_impossible_garden_is_reported_with_its_rule(server: InProcessServer, language: str) -> None:
    """R20: an impossible garden is reported in the reader's language, with points but without winners."""
    table, _ = real_table(RECORDS[0])
    own = table["seats"][0]
    stray = own["gardeners"][0]
    own["nobles"] = [*(square for square in own["nobles"] if square[0] != stray[0]), stray]
    response = (await server.client().request("POST", "/api/scores", table, accept_language=language)).json()
    (refusal,) = response["seats"][0]["refusals"]
    assert refusal["code"] == "refusal.noble_on_gardener" and refusal["rule"] == "R20"
    assert stray in refusal["sentence"] and refusal["sentence"].startswith("R20: ")
    assert response["winners"] == [] and response["seats"][1]["refusals"] == []


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
@with_server()
async def test_invalid_score_sheets_are_refused(server: InProcessServer, change: Json, code: str) -> None:
    """Malformed sheets and impossible games are refused."""
    table = {"edition": "ravensburger", "seats": [{"built": [], "track": 0}] * 2, **change}
    answer = await server.client().request("POST", "/api/scores", table)
    assert answer.status_code in (400, 422) and answer.json()["error"]["code"] == code


@with_server()
async def test_boards_files_are_checked(server: InProcessServer) -> None:
    """A valid boards file is described, an invalid one is refused with the bad field."""
    nobody = server.client()
    for name in SHIPPED:
        boards = shipped_boards(name)
        checked = (await nobody.request("POST", "/api/boards", {"file": write_boards(boards)})).json()
        assert checked["sha256"] == boards.sha256 and checked["rewards"] == boards.layouts()["rewards"]
        assert checked == (await nobody.request("GET", f"/api/boards/{name}")).json()
    broken = write_boards(shipped_boards("parterre")).replace('"+1"', '"+9"', 1)
    wrong = await nobody.request("POST", "/api/boards", {"file": broken})
    assert wrong.status_code == 422 and "boards.rewards.1.front" in wrong.json()["error"]["sentence"]
