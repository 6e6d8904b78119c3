"""Custom boards: visible to everyone who may see the table, and usable to prove the shuffle."""

from dataclasses import replace
from pathlib import Path

from sanssouci.editions import parse_boards, shipped_boards, write_boards

from ..cli.command import run
from ..harness.client import Client
from ..harness.server import InProcessServer, with_server

OWN = replace(shipped_boards("parterre"), name="Ada's own", gardens=shipped_boards("parterre").gardens[::-1])


async def _download(person: Client, table: object, what: str, path: Path) -> Path:
    """Download a file of a table."""
    answer = await person.request("GET", f"/api/tables/{table}/{what}")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"].startswith("attachment")
    path.write_bytes(answer.content)
    return path


@with_server()
async def test_custom_boards_prove_the_shuffle(server: InProcessServer) -> None:
    """The downloaded record is proved with the downloaded boards, but not without them or with others."""
    table, ada, bob = await server.two_players(boards_file=write_boards(OWN), expansions=["rewards"])
    await server.play_out(table, {0: ada, 1: bob})
    record = await _download(bob, table, "record", server.path.with_name("record.json"))
    boards = await _download(bob, table, "boards", server.path.with_name("boards.toml"))
    proved = run("verify", "--seed", "--boards", boards, record)
    assert proved.returncode == 0, proved.stdout
    assert run("verify", "--seed", record).returncode == 1
    assert run("verify", "--seed", "--boards", "parterre", record).returncode == 1


@with_server()
async def test_boards_are_visible_with_the_table(server: InProcessServer) -> None:
    """Everyone who may see the table can download its boards, custom or shipped; others get a 404."""
    ada, cid = await server.guest("Ada"), await server.guest("Cid")
    own = await ada.create_table("person", "open", boards_file=write_boards(OWN))
    supplied = await ada.create_table("person", "open", boards="bosquet", edition="imperial")
    for table, boards in ((own, OWN), (supplied, shipped_boards("bosquet"))):
        for person in (ada, server.client().with_key(table.watch), cid.with_key(table.join)):
            answer = await person.request("GET", f"/api/tables/{table}/boards")
            assert (answer.status_code, answer.headers["content-type"]) == (200, "application/toml")
            assert parse_boards(answer.content) == boards
        assert (await cid.request("GET", f"/api/tables/{table}/boards")).status_code == 404
    setting = (await ada.view(own))["terms"]["boards"]
    assert setting == {"name": OWN.name, "sha256": OWN.sha256}
