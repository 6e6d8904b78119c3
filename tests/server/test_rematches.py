"""A rematch sets a table up: it counts as one, and there is none of a game that never was."""

from sanssouci.server.limits.rate_limits import read_rates

from .house import NONCE, House, Person, housed


async def _conceded(house: House, ada: Person) -> str:
    table = await ada.open("person", "random")
    await ada.do(table, "ready", nonce=NONCE)
    await house.quiet()
    await ada.do(table, "concede")
    return table.id


@housed()
async def test_a_lobby_that_was_closed_has_no_rematch(house: House) -> None:
    """Nothing was dealt, so there is nothing to play again; the view says so."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    await ada.do(table, "abandon")
    refused = await ada.give(table, "rematch")
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "declined.never_started")
    assert (await ada.view(table))["you"]["may"] == []
    assert len(house.rows()["game"]) == 1


@housed(rates=read_rates("create=2/minute"))
async def test_a_rematch_counts_as_a_table_that_is_set_up(house: House) -> None:
    """By request and by socket: who has set up enough has to wait."""
    ada = await house.guest("Ada")
    table = await _conceded(house, ada)
    line = await ada.sit(table)
    seq = (await line.next())["seq"]
    await ada.do(table, "rematch")
    refused = await ada.give(table, "rematch")
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "server.too_often")
    await line.until("update")
    await line.command("rematch", seq + 1)
    assert (await line.until("refused"))["error"]["code"] == "server.too_often"
    assert len(house.rows()["game"]) == 2
