"""Score sheets and boards files of a physical game: computed and checked, never stored."""

from typing import Any

import pytest

from sanssouci.editions import SHIPPED, parse_boards, shipped_boards, write_boards
from sanssouci.locale import LANGUAGES, translate

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


def draft_of(name: str) -> Json:
    """A shipped set as the board editor sends it."""
    return {"name": name, **shipped_boards(name).layouts()}


@with_server()
async def test_a_complete_draft_becomes_a_file(server: InProcessServer) -> None:
    """R2, R4, R29: a complete draft is described like its file, which reads back as the same set."""
    nobody = server.client()
    for name in SHIPPED:
        checked = await nobody.request("POST", "/api/boards/draft", draft_of(name))
        document = checked.json()
        assert checked.status_code == 200 and document["problems"] == []
        assert parse_boards(document["file"].encode()) == shipped_boards(name)
        assert document["boards"] == (await nobody.request("GET", f"/api/boards/{name}")).json()
    one_sided = {"name": "small", "gardens": [sides[:1] for sides in draft_of("parterre")["gardens"]]}
    document = (await nobody.request("POST", "/api/boards/draft", one_sided)).json()
    assert document["boards"]["rewards"] == shipped_boards("parterre").layouts()["rewards"]


@pytest.mark.parametrize("language", LANGUAGES)
@with_server()
async def test_every_problem_of_a_draft_has_its_field(server: InProcessServer, language: str) -> None:
    """All problems are reported at once, in the words of the command line, each with its field."""
    draft = draft_of("parterre")
    draft["name"] = " "
    draft["gardens"][1][1].pop()
    draft["gardens"][3][0][0] = "k9"
    draft["rewards"][0][0].popitem()
    draft["pairs"][0] = "42"
    answer = await server.client().request("POST", "/api/boards/draft", draft, accept_language=language)
    document = answer.json()
    assert (document["boards"], document["file"]) == (None, None)
    assert {problem["field"]: problem["sentence"] for problem in document["problems"]} == {
        "boards.name": translate("boards.bad_name", language, longest=60),
        "boards.gardens.2.back": translate("boards.wrong_printed", language),
        "boards.gardens.4.front": translate("notation.square", language, text="k9"),
        "boards.rewards.1.front": translate("boards.wrong_marks", language),
        "boards.pairs": translate("boards.bad_pair", language, text="42"),
    }


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"gardens": []}, "boards.gardens"),
        ({"gardens": [[]] * 4}, "boards.gardens.1"),
        ({"rewards": []}, "boards.rewards"),
    ],
)
@with_server()
async def test_a_draft_without_boards(server: InProcessServer, change: Json, field: str) -> None:
    """A draft with too few boards or sides is not an error, but has a problem."""
    answer = await server.client().request("POST", "/api/boards/draft", draft_of("parterre") | change)
    assert answer.status_code == 200
    assert [problem["field"] for problem in answer.json()["problems"]] == [field]
