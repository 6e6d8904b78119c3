"""Data files of earlier versions: they open, nothing in them is lost, and their games go on."""

import json
import sqlite3
from contextlib import closing

import pytest

from sanssouci.store import TokenKind
from sanssouci.table import COMMANDS

from ..workers.pools import within
from .generations import LATEST, Generation, run
from .summaries import Json, describe_all, person_of, viewer_of


def test_every_kind_of_event_is_in_the_data_file(generation: Generation) -> None:
    """The latest generation has each kind that the program writes; the program knows all earlier kinds."""
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
    """The file is found at its usual place; every game is replayed by the rules and by its seed."""
    monkeypatch.setenv("XDG_STATE_HOME", str(generation.scratch))
    generation.copy("tables.db.xz", generation.state / "tables.db")
    done = run("admin", "check", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["games"] == len(generation.json("secrets.json")["tables"])


@pytest.mark.parametrize("imported", [False, True], ids=["data file", "export"])
def test_everything_is_served_as_before(generation: Generation, imported: bool) -> None:
    """Tables, guests with statistics, reviews; the records of finished games are the same byte by byte."""
    secrets, expected = generation.json("secrets.json"), generation.json("expected.json")

    async def story() -> None:
        async with generation.server(imported) as house:
            found = json.loads(json.dumps(await describe_all(house, secrets)))
            for kind, things in expected.items():
                for name, thing in things.items():
                    assert found[kind][name] == thing, f"{kind} {name}"
            for path in sorted((generation.folder / "records").iterdir()):
                table = secrets["tables"][path.stem]
                viewer = viewer_of(house, secrets, table)
                record = await viewer.ask("GET", f"/api/tables/{table['id']}/record")
                assert record.content == path.read_bytes(), path.stem

    within(story())


def test_games_can_be_played_on(generation: Generation) -> None:
    """Every game that was running takes two more commands of people, and a short one is played to its end."""
    secrets, expected = generation.json("secrets.json"), generation.json("expected.json")["tables"]

    async def story() -> None:
        async with generation.server() as house:
            for name, table in secrets["tables"].items():
                if expected[name]["stage"] not in ("picking", "playing"):
                    continue
                people = {
                    int(chair): person_of(house, secrets, who) for chair, who in table["people"].items()
                }
                if name == "resting":
                    await people[0].do(table["id"], "return")
                await house.play_out(table["id"], people, 1000 if name == "from-a-record" else 2)
                view = await viewer_of(house, secrets, table).view(table["id"])
                assert view["seq"] >= expected[name]["seq"] + 2, name
                assert (view["stage"] == "over") == (name == "from-a-record"), name
            again = secrets["tables"]["rematch"]
            for chair, guest in again["people"].items():
                person = person_of(house, secrets, guest)
                await person.do(again["id"], "ready", nonce="00" * 8, at=int(chair))
            assert (await person.view(again["id"]))["stage"] == "picking"

    within(story())
    assert run("admin", "check", "--data", generation.state / "tables.db").exit_code == 0


def open_chairs(expected: Json) -> list[int]:
    """The chairs that can still be taken."""
    return [place for place, chair in enumerate(expected["chairs"]) if chair["sitter"] == "open"]


def test_existing_links_still_work(generation: Generation) -> None:
    """Seat, watch and join links open what they opened before, without a guest."""
    secrets, expected = generation.json("secrets.json"), generation.json("expected.json")["tables"]

    async def story() -> None:
        async with generation.server() as house:
            join_request, joined = await house.guest("Zoe"), 0
            for name, table in secrets["tables"].items():
                for link, secret in table["links"].items():
                    view = await house.nobody().key(secret).view(table["id"])
                    assert (view["stage"], view["you"]["chair"]) == (expected[name]["stage"], None), (
                        name,
                        link,
                    )
                for chair, secret in table["seats"].items():
                    view = await house.nobody().key(secret).view(table["id"])
                    assert view["you"]["chair"] == int(chair), name
                if expected[name]["stage"] == "lobby" and (free := open_chairs(expected[name])):
                    seat = await join_request.key(table["links"]["join"]).join(table["id"], free[0])
                    assert seat["chair"] == free[0]
                    joined += 1
            assert joined == 3
            lobby = secrets["tables"]["open-lobby"]
            sent_away = person_of(house, secrets, "Bob").key(lobby["links"]["join"])
            refused = await sent_away.ask("POST", f"/api/tables/{lobby['id']}/seats", {"chair": 1})
            assert refused.status_code == 422, "a guest whom the owner has sent away stays away"

    within(story())
