"""Boards of one's own: whoever may see the table gets them, and can prove the shuffle with them."""

from dataclasses import replace
from pathlib import Path

from sanssouci.editions import parse_boards, shipped_boards, write_boards

from ..cli.command import run
from .house import House, Person, housed

OWN = replace(shipped_boards("parterre"), name="Ada's own", gardens=shipped_boards("parterre").gardens[::-1])


async def _fetched(person: Person, table: object, what: str, path: Path) -> Path:
    """A file that somebody fetches from the server."""
    answer = await person.ask("GET", f"/api/tables/{table}/{what}")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    path.write_bytes(answer.content)
    return path


@housed()
async def test_a_fellow_player_proves_the_shuffle_on_own_boards(house: House) -> None:
    """From what the server gives out: with the boards it is proved, without them or with others it is not."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", boards_file=write_boards(OWN), expansions=["rewards"])
    await bob.key(table.join).join(table)
    await house.play_out(table, {0: ada, 1: bob})
    record = await _fetched(bob, table, "record", house.path.with_name("record.json"))
    boards = await _fetched(bob, table, "boards", house.path.with_name("boards.toml"))
    proved = run("verify", "--seed", "--boards", boards, record)
    assert proved.returncode == 0, proved.stdout
    assert run("verify", "--seed", record).returncode == 1
    assert run("verify", "--seed", "--boards", "parterre", record).returncode == 1


@housed()
async def test_boards_are_shown_to_whoever_may_see_the_table(house: House) -> None:
    """From the first moment, by whichever right; to a stranger there is no table. Supplied sets too."""
    ada, cid = await house.guest("Ada"), await house.guest("Cid")
    own = await ada.open("person", "open", boards_file=write_boards(OWN))
    supplied = await ada.open("person", "open", boards="bosquet", edition="imperial")
    for table, boards in ((own, OWN), (supplied, shipped_boards("bosquet"))):
        for person in (ada, house.nobody().key(table.watch), cid.key(table.join)):
            answer = await person.ask("GET", f"/api/tables/{table}/boards")
            assert (answer.status_code, answer.headers["content-type"]) == (200, "application/toml")
            assert parse_boards(answer.content) == boards
        assert (await cid.ask("GET", f"/api/tables/{table}/boards")).status_code == 404
    terms = (await ada.view(own))["terms"]["boards"]
    assert terms == {"name": OWN.name, "sha256": OWN.sha256}
