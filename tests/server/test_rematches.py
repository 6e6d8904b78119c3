"""A rematch creates a table: it counts towards quotas, and needs a finished game."""

from sanssouci.server.rate_limits import read_rates

from ..harness.builders import NONCE
from ..harness.client import Client
from ..harness.server import InProcessServer, with_server


async def _conceded_table(server: InProcessServer, ada: Client) -> str:
    """A table whose game the guest has conceded."""
    table = await ada.create_table("person", "random")
    await ada.do(table, "ready", nonce=NONCE)
    await server.settle()
    await ada.do(table, "concede")
    return table.id


@with_server()
async def test_an_abandoned_lobby_has_no_rematch(server: InProcessServer) -> None:
    """A table that was abandoned in the lobby has no rematch, and the view does not offer one."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    await ada.do(table, "abandon")
    refused = await ada.command(table, "rematch")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "declined.never_started")
    assert (await ada.view(table))["you"]["may"] == []
    assert len(server.rows()["game"]) == 1


@with_server(rates=read_rates("create=2/minute"))
async def test_a_rematch_counts_as_a_new_table(server: InProcessServer) -> None:
    """A rematch by HTTP or socket counts towards the rate limit for new tables."""
    ada = await server.guest("Ada")
    table = await _conceded_table(server, ada)
    socket = await ada.connect(table)
    seq = (await socket.receive())["seq"]
    await ada.do(table, "rematch")
    refused = await ada.command(table, "rematch")
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "server.too_often")
    await socket.receive_until("update")
    await socket.send_command("rematch", seq + 1)
    assert (await socket.receive_until("refused"))["error"]["code"] == "server.too_often"
    assert len(server.rows()["game"]) == 2
