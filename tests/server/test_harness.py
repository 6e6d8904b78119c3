"""The test harness runs a real server: a whole game is played on it."""

from ..harness.builders import NONCE
from ..harness.server import InProcessServer, with_server


@with_server()
async def test_a_game_is_played_by_http_and_socket(server: InProcessServer) -> None:
    """A person by socket, one by HTTP and a computer finish a game, and its record is available."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob", browser=True)
    table = await ada.create_table("person", "open", "random", visibility="open")
    await bob.join(table)
    socket = await ada.connect(table)
    first = await socket.receive()
    assert (first["view"]["you"]["chair"], first["view"]["you"]["owner"]) == (0, True)
    await socket.send_command("ready", first["seq"], nonce=NONCE)
    assert (await socket.receive())["type"] == "done"
    assert (await socket.receive())["type"] == "update"
    view = await server.play_out(table, {0: ada, 1: bob})
    assert view["stage"] == "over"
    assert view["ending"]["manner"] == "played"
    record = await ada.get(f"/api/tables/{table}/record")
    assert len(record["turns"]) == 3 * 18
    await socket.close()
