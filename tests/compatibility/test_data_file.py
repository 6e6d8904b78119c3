"""Data files of earlier versions: they open completely, and their games can be continued."""

import json
import sqlite3
from contextlib import closing

import pytest

from sanssouci.store import TokenKind
from sanssouci.table import COMMANDS

from ..workers.pools import run_with_timeout
from .generations import LATEST, Generation, run
from .summaries import Json, client_of, describe_all, viewer_of


def test_every_kind_of_event_is_in_the_data_file(generation: Generation) -> None:
    """The latest generation has every kind of event and token; all earlier kinds are still known."""
    path = generation.copy("tables.db.xz", generation.scratch / "tables.db")
    with closing(sqlite3.connect(path)) as connection:
        bodies = [json.loads(body) for (body,) in connection.execute("SELECT body FROM event")]
        tokens = {kind for (kind,) in connection.execute("SELECT DISTINCT kind FROM token")}
        filled = {
            table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in (
                "guest",
                "game",
                "secret",
                "event",
                "token",
                "holding",
                "barred",
                "played",
                "review",
            )
        }
    kinds = {body["command"]["type"] for body in bodies}
    assert kinds <= set(COMMANDS) and tokens <= set(TokenKind) and min(filled.values()) > 0
    if generation.folder == LATEST:
        assert kinds == set(COMMANDS), (
            "python -m tests.compatibility.generate adds a generation with all kinds"
        )
        assert tokens == set(TokenKind)


def test_admin_check_finds_nothing_wrong(generation: Generation, monkeypatch: pytest.MonkeyPatch) -> None:
    """The data file is found at its default path, and every game replays by rules and seed."""
    monkeypatch.setenv("XDG_STATE_HOME", str(generation.scratch))
    generation.copy("tables.db.xz", generation.state / "tables.db")
    done = run("admin", "check", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["games"] == len(generation.json("secrets.json")["tables"])


@pytest.mark.parametrize("imported", [False, True], ids=["data file", "export"])
def test_everything_is_served_as_before(generation: Generation, imported: bool) -> None:
    """Tables, guests and reviews are described as before, and records are the same byte by byte."""
    secrets, expected = generation.json("secrets.json"), generation.json("expected.json")

    async def scenario() -> None:
        async with generation.server(imported) as server:
            found = json.loads(json.dumps(await describe_all(server, secrets)))
            for kind, descriptions in expected.items():
                for name, description in descriptions.items():
                    assert found[kind][name] == description, f"{kind} {name}"
            for path in sorted((generation.folder / "records").iterdir()):
                table = secrets["tables"][path.stem]
                viewer = viewer_of(server, secrets, table)
                record = await viewer.request("GET", f"/api/tables/{table['id']}/record")
                assert record.content == path.read_bytes(), path.stem

    run_with_timeout(scenario())


def test_games_can_be_played_on(generation: Generation) -> None:
    """Every running game accepts two more commands, and a short one is played to its end."""
    secrets, expected = generation.json("secrets.json"), generation.json("expected.json")["tables"]

    async def scenario() -> None:
        async with generation.server() as server:
            for name, table in secrets["tables"].items():
                if expected[name]["stage"] not in ("picking", "playing"):
                    continue
                people = {
                    int(chair): client_of(server, secrets, who) for chair, who in table["people"].items()
                }
                if name in ("resting", "paused"):
                    await people[0].do(table["id"], "return")
                await server.play_out(table["id"], people, 1000 if name == "from-a-record" else 2)
                view = await viewer_of(server, secrets, table).view(table["id"])
                assert view["seq"] >= expected[name]["seq"] + 2, name
                assert (view["stage"] == "over") == (name == "from-a-record"), name
            for name in {"rematch", "given-up", "shuffling"} & set(secrets["tables"]):
                table = secrets["tables"][name]
                people = {
                    int(chair): client_of(server, secrets, who) for chair, who in table["people"].items()
                }
                begun = await server.play_out(table["id"], people, 0 if name == "shuffling" else len(people))
                assert begun["stage"] == "picking", name

    run_with_timeout(scenario())
    assert run("admin", "check", "--data", generation.state / "tables.db").exit_code == 0


def open_chairs(expected: Json) -> list[int]:
    return [place for place, chair in enumerate(expected["chairs"]) if chair["sitter"] == "open"]


def test_existing_links_still_work(generation: Generation) -> None:
    """Seat, watch and join links work as before, without a guest."""
    secrets, expected = generation.json("secrets.json"), generation.json("expected.json")["tables"]

    async def scenario() -> None:
        async with generation.server() as server:
            join_request, joined = await server.guest("Zoe"), 0
            for name, table in secrets["tables"].items():
                for link, secret in table["links"].items():
                    view = await server.client().with_key(secret).view(table["id"])
                    assert (view["stage"], view["you"]["chair"]) == (expected[name]["stage"], None), (
                        name,
                        link,
                    )
                for chair, secret in table["seats"].items():
                    view = await server.client().with_key(secret).view(table["id"])
                    assert view["you"]["chair"] == int(chair), name
                if expected[name]["stage"] == "lobby" and (free := open_chairs(expected[name])):
                    seat = await join_request.with_key(table["links"]["join"]).join(table["id"], free[0])
                    assert seat["chair"] == free[0]
                    joined += 1
            assert joined == 3
            lobby = secrets["tables"]["open-lobby"]
            banned = client_of(server, secrets, "Bob").with_key(lobby["links"]["join"])
            refused = await banned.request("POST", f"/api/tables/{lobby['id']}/seats", {"chair": 1})
            assert refused.status_code == 422, "a banned guest stays banned"

    run_with_timeout(scenario())
