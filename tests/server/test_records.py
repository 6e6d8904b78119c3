"""Uploaded records: responses, languages of refusals, size limits and rate limits."""

import asyncio
import json
from pathlib import Path

from limits import parse

from sanssouci.notation import LARGEST, parse_record
from sanssouci.server.rate_limits import Limit
from sanssouci.table import write_replay

from ..harness.server import InProcessServer, with_server
from ..harness.settings import RATES

RECORD = (Path(__file__).parents[1] / "records" / "imperial-rewards-boar-4.json").read_bytes()


@with_server()
async def test_steps_of_an_uploaded_record(server: InProcessServer) -> None:
    """Anyone can upload a record and gets its replay, step by step."""
    answer = await server.client().request("POST", "/api/records/steps", content=RECORD)
    assert answer.status_code == 200
    assert answer.json() == write_replay(parse_record(RECORD))
    assert len(answer.json()["steps"]) == 73


@with_server()
async def test_an_illegal_turn_is_named(server: InProcessServer) -> None:
    """The error names number and rule of the illegal turn, in the reader's language."""
    record = json.loads(RECORD)
    record["turns"][4] = record["turns"][0]  # the card was played
    nobody = server.client()
    english, german = [
        await nobody.request("POST", "/api/records/steps", record, accept_language=language)
        for language in ("en", "de")
    ]
    assert english.status_code == german.status_code == 422
    error, german_error = english.json()["error"], german.json()["error"]
    assert error["code"].startswith("refusal.") and error["rule"] == german_error["rule"]
    assert error["sentence"].startswith("turn 5") and german_error["sentence"].startswith("Zug 5")
    assert error["rule"] in error["sentence"]


@with_server()
async def test_the_maximum_size_of_a_record(server: InProcessServer) -> None:
    """A record of the maximum size is accepted, and one byte more is a 413."""
    nobody = server.client()
    whole = RECORD + b" " * (LARGEST - len(RECORD))
    assert (await nobody.request("POST", "/api/records/steps", content=whole)).status_code == 200
    large = await nobody.request("POST", "/api/records/steps", content=whole + b" ")
    assert large.status_code == 413 and large.json()["error"]["code"] == "request.too_large"


@with_server()
async def test_the_maximum_number_of_values(server: InProcessServer) -> None:
    """A document of very many small values is refused before it is parsed, wherever records are taken."""
    ada = await server.guest("Ada")
    for path in ("/api/records", "/api/records/steps", "/api/reviews"):
        answer = await ada.request("POST", path, content=b"[" + b"[]," * 5000 + b"1]")
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "record.too_many_values")


@with_server()
async def test_records_are_replayed_one_after_the_other(server: InProcessServer) -> None:
    """Several threads that replay records would delay everything else."""
    running, most = 0, 0

    def work() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        parse_record(RECORD)
        running -= 1

    await asyncio.gather(*(server.services.in_background(work) for _ in range(8)))
    assert (running, most) == (0, 1)


@with_server(rates={**RATES, Limit.IMPORT: parse("2/minute")})
async def test_steps_and_checks_share_a_rate_limit(server: InProcessServer) -> None:
    """Both routes for records use the same rate limit."""
    ada = await server.guest("Ada")
    paths = ("/api/records/steps", "/api/records", "/api/records/steps", "/api/records")
    statuses = [(await ada.request("POST", path, content=RECORD)).status_code for path in paths]
    assert statuses == [200, 200, 429, 429]
