"""Silence: a whole game is played with secrets that the test knows, and no line of the log has one."""

import io
import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import structlog

from sanssouci.server.ops.logs import configure_logs

from ..workers.pools import within
from .house import House, a_house, first_turn

NONCE = "5ec7e700" * 4
SAID = {
    "address",
    "event",
    "level",
    "logger",
    "method",
    "ms",
    "request_id",
    "route",
    "status",
    "timestamp",
}
"""All that a line may have."""


@contextmanager
def _logged() -> Iterator[io.StringIO]:
    """All that is logged inside, from the lowest level on."""
    names = ("", "sanssouci", "uvicorn", "uvicorn.error", "uvicorn.access")
    kept = [(logger := logging.getLogger(name), logger.__dict__.copy()) for name in names]
    stream = io.StringIO()
    configure_logs("debug", "json", stream)
    try:
        yield stream
    finally:
        for logger, contents in kept:
            logger.__dict__.update(contents)
            logger.manager._clear_cache()  # type: ignore[attr-defined]
        logging.captureWarnings(False)
        structlog.reset_defaults()


async def _play(house: House) -> set[str]:
    """A game with everything in it; the turns that were played."""
    ada, bob = await house.guest("Ada"), await house.guest("Bobadil", browser=True)
    table = await ada.open("person", "open", "random", edition="imperial", expansions=["rewards"])
    await bob.key(table.join).join(table)
    line = await ada.sit(table)
    seq = (await line.next())["seq"]
    await line.command("ready", seq, nonce=NONCE)
    await line.until("done")
    await bob.do(table, "ready", nonce=NONCE[::-1])
    await ada.ask("GET", f"/api/tables/{table}?key={table.seats[0]}")
    await ada.ask("GET", f"/{table.seats[0]}")
    await house.nobody().key(table.watch).view(table)
    await house.nobody().key("x").ask("GET", f"/api/tables/{table}")
    await house.play_out(table, {0: ada, 1: bob}, turns=12)
    view = await ada.view(table, 0)
    await ada.ask("POST", f"/api/tables/{table}/hint", {})
    await ada.give(table, "play", turn="36@2-g3/g3")
    await ada.give(table, "ready", nonce="zz")
    if view["options"]:
        await ada.give(table, "play", seq=0, turn=first_turn(view["options"]))
    await line.send('{"ticket": "' + table.seats[0] + '"}')
    await line.closed()
    await (await ada.dial(table.seats[0])).closed()
    house.players.fault = RuntimeError(f"the hand is {view['game']}")
    await house.play_out(table, {0: ada, 1: bob}, turns=3)
    await house.attend()
    house.players.fault = None
    await house.attend()
    await house.play_out(table, {0: ada, 1: bob})
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None
    record = await ada.get(f"/api/tables/{table}/record")
    return {*record["turns"]}


def test_no_secret_is_in_the_log(tmp_path: Path) -> None:
    """No token, ticket, seed, nonce, turn or name; a line has a few fields, and an error says where."""

    async def story() -> tuple[set[str], House]:
        async with a_house(tmp_path, world="silent") as house:
            return await _play(house), house

    with _logged() as stream:
        turns, house = within(story())
    text = stream.getvalue()
    assert len(text.splitlines()) > 60
    assert len(house.world.tokens) == 7
    secrets = [
        *house.world.tokens,
        *(seed.hex() for seed in house.world.seeds),
        NONCE,
        NONCE[::-1],
        "Bobadil",
    ]
    assert [secret for secret in [*secrets, *turns] if secret in text] == []
    lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    others = [line for line in lines if line["event"] not in ("request", "socket")]
    assert {line["event"] for line in others} == {"bot_task_failed"}
    assert all({*line} <= SAID for line in lines if line not in others)
    assert all({*line} <= SAID | {"table", "error", "location"} for line in others)
    assert {line["error"] for line in others} == {"RuntimeError"}
    assert {line["route"] for line in lines if "route" in line} >= {"/api/tables/{table}", "/api/socket", "-"}
