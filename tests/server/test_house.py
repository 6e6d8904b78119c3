"""The house of the tests is a house: a whole game is played in it."""

from .house import NONCE, House, housed


@housed()
async def test_a_game_is_played_by_http_and_socket(house: House) -> None:
    """One person by socket, one by HTTP, one computer: the game comes to its end, and its record is there."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob", browser=True)
    table = await ada.open("person", "open", "random", visibility="open")
    await bob.join(table)
    line = await ada.sit(table)
    first = await line.next()
    assert (first["view"]["you"]["chair"], first["view"]["you"]["owner"]) == (0, True)
    await line.command("ready", first["seq"], nonce=NONCE)
    assert (await line.next())["type"] == "done"
    assert (await line.next())["type"] == "update"
    view = await house.play_out(table, {0: ada, 1: bob})
    assert view["stage"] == "over"
    assert view["ending"]["manner"] == "played"
    record = await ada.get(f"/api/tables/{table}/record")
    assert len(record["turns"]) == 3 * 18
    await line.hang_up()
