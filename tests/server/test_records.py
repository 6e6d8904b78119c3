"""Records that are sent in: what is answered, in which language it is refused, how large and how often."""

import json
from pathlib import Path

from limits import parse

from sanssouci.notation import LARGEST, parse_record
from sanssouci.server.limits.rate_limits import Limit
from sanssouci.table import write_replay

from .house import RATES, House, housed

RECORD = (Path(__file__).parents[1] / "records" / "imperial-rewards-boar-4.json").read_bytes()


@housed()
async def test_a_record_is_answered_step_by_step(house: House) -> None:
    """To anyone, without a name: it is the asker's own document."""
    answer = await house.nobody().send("/api/records/steps", RECORD)
    assert answer.status_code == 200
    assert answer.json() == write_replay(parse_record(RECORD))
    assert len(answer.json()["steps"]) == 73


@housed()
async def test_a_turn_that_is_not_legal_is_named_in_the_readers_language(house: House) -> None:
    """With its number, its text and the rule; the code is for programs."""
    record = json.loads(RECORD)
    record["turns"][4] = record["turns"][0]  # the card was played
    nobody = house.nobody()
    english, german = [
        await nobody.ask("POST", "/api/records/steps", record, accept_language=language)
        for language in ("en", "de")
    ]
    assert english.status_code == german.status_code == 422
    said, gesagt = english.json()["error"], german.json()["error"]
    assert said["code"].startswith("refusal.") and said["rule"] == gesagt["rule"]
    assert said["sentence"].startswith("turn 5") and gesagt["sentence"].startswith("Zug 5")
    assert said["rule"] in said["sentence"]


@housed()
async def test_a_record_is_as_large_as_a_record_may_be(house: House) -> None:
    """One byte more is not read; spaces behind it make it no other record."""
    nobody = house.nobody()
    whole = RECORD + b" " * (LARGEST - len(RECORD))
    assert (await nobody.send("/api/records/steps", whole)).status_code == 200
    large = await nobody.send("/api/records/steps", whole + b" ")
    assert large.status_code == 413 and large.json()["error"]["code"] == "request.too_large"


@housed(rates={**RATES, Limit.IMPORT: parse("2/minute")})
async def test_steps_and_checks_are_counted_together(house: House) -> None:
    """What is asked of one is not left for the other."""
    ada = await house.guest("Ada")
    paths = ("/api/records/steps", "/api/records", "/api/records/steps", "/api/records")
    asked = [(await ada.send(path, RECORD)).status_code for path in paths]
    assert asked == [200, 200, 429, 429]
