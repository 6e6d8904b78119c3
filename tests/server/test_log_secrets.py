"""No secret of a whole game appears in the log."""

import json
from pathlib import Path
from typing import Any

from ..harness.builders import legal_turn
from ..harness.logs import captured_log
from ..harness.server import InProcessServer, running_server
from ..workers.pools import run_with_timeout

NONCE = "5ec7e700" * 4
FIELDS = {
    "address",
    "event",
    "level",
    "logger",
    "method",
    "ms",
    "request_id",
    "route",
    "status",
    "outcome",
    "socket",
    "timestamp",
}
"""All fields that a line may have."""


async def _play(server: InProcessServer) -> set[str]:
    """Play a game with all kinds of requests and errors; the turns that were played."""
    ada, bob = await server.guest("Ada"), await server.guest("Bobadil", browser=True)
    table = await ada.create_table("person", "open", "random", edition="imperial", expansions=["rewards"])
    await bob.with_key(table.join).join(table)
    socket = await ada.connect(table)
    seq = (await socket.receive())["seq"]
    await socket.send_command("ready", seq, nonce=NONCE)
    await socket.receive_until("done")
    await bob.do(table, "ready", nonce=NONCE[::-1])
    await ada.command(table, "reveal", nonce=NONCE[2:] + "00")
    await ada.do(table, "reveal", nonce=NONCE)
    await ada.request("GET", f"/api/tables/{table}?key={table.seats[0]}")
    await ada.request("GET", f"/{table.seats[0]}")
    await server.client().with_key(table.watch).view(table)
    await server.client().with_key("x").request("GET", f"/api/tables/{table}")
    await server.play_out(table, {0: ada, 1: bob}, commands=12)
    view = await ada.view(table, 0)
    await ada.request("POST", f"/api/tables/{table}/hint", {})
    await ada.command(table, "play", turn="36@2-g3/g3")
    await ada.command(table, "ready", nonce="zz")
    if view["options"]:
        await ada.command(table, "play", seq=0, turn=legal_turn(view["options"]))
    await socket.send('{"ticket": "' + table.seats[0] + '"}')
    await socket.close_code()
    await (await ada.connect_with(table.seats[0])).close_code()
    server.players.error = RuntimeError(f"the hand is {view['game']}")
    await server.play_out(table, {0: ada, 1: bob}, commands=3)
    await server.sweep()
    server.players.error = None
    await server.sweep()
    await server.play_out(table, {0: ada, 1: bob})
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None
    record = await ada.get(f"/api/tables/{table}/record")
    return {*record["turns"]}


def test_no_secret_is_in_the_log(tmp_path: Path) -> None:
    """The log contains no token, ticket, seed, nonce, turn or name, and only known fields."""

    async def scenario() -> tuple[set[str], InProcessServer]:
        async with running_server(tmp_path, name="silent") as server:
            return await _play(server), server

    with captured_log() as log:
        turns, server = run_with_timeout(scenario())
    text = log.read()
    assert len(text.splitlines()) > 60
    assert len(server.secrets.tokens) == 7
    secrets = [
        *server.secrets.tokens,
        *(seed.hex() for seed in server.secrets.seeds),
        NONCE,
        NONCE[::-1],
        "Bobadil",
    ]
    assert [secret for secret in [*secrets, *turns] if secret in text] == []
    lines: list[dict[str, Any]] = [json.loads(line) for line in text.splitlines()]
    others = [line for line in lines if line["event"] not in ("request", "socket", "command")]
    assert {line["event"] for line in others} == {"bot_task_failed"}
    assert all({*line} <= FIELDS for line in lines if line not in others)
    assert any(line["event"] == "command" for line in lines)
    assert all({*line} <= FIELDS | {"table", "error", "location"} for line in others)
    assert {line["error"] for line in others} == {"RuntimeError"}
    assert {line["route"] for line in lines if "route" in line} >= {"/api/tables/{table}", "/api/socket", "-"}
