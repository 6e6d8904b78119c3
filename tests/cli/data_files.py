"""A data file as a server leaves it, with games in every stage; and a running server."""

import asyncio
import json
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from functools import cache
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from typer.testing import CliRunner, Result

from sanssouci.cli.app import app
from sanssouci.notation import parse_record, read_record
from sanssouci.review import positions
from sanssouci.server.reviews import dump_position_reviews, kept_record
from sanssouci.server.tables.live_table import OWNER
from sanssouci.server.tables.table_registry import append, game_row, store_changes
from sanssouci.store import (
    Add,
    AddGame,
    BanRow,
    Change,
    GuestRow,
    HoldingRow,
    PlayedRow,
    ReviewRow,
    Store,
    TokenKind,
    TokenRow,
)
from sanssouci.table import (
    Concede,
    StepAway,
    TimeControl,
    TimeControlKind,
    Transition,
    Visibility,
    make_settings,
    write_player_result,
)

from ..harness.builders import RECORD, RECORDS
from ..harness.process import ServerProcess, running_process
from ..table.hosted_table import COMPUTER, OPEN, PERSON, SEED, Host
from ..workers.position_reviews import fake_position_review

GUESTS = ("friedrich", "wilhelmine")
STAGES = {
    "a-lobby": "lobby",
    "b-picking": "picking",
    "c-playing": "playing",
    "d-played": "over",
    "e-given-up": "over",
    "f-gone-on": "playing",
    "g-gone-on": "over",
}


def admin(*arguments: object) -> Result:
    """Run ``sanssouci admin`` in this process."""
    return CliRunner().invoke(app, ["admin", *map(str, arguments)])


def hosts() -> Iterator[Host]:
    """A lobby, a table picking, one with a clock, two finished, and two continued from a record."""
    lobby = make_settings(3, "imperial", ["rewards"], visibility=Visibility.OPEN)
    yield Host(lobby, [PERSON, OPEN, COMPUTER], name="a-lobby")
    yield Host(make_settings(2, "imperial", []), [PERSON] * 2, name="b-picking").start()
    clock = make_settings(
        2, "imperial", ["rewards", "wild_boar"], time_control=TimeControl(TimeControlKind.DAYS, 2)
    )
    yield Host(clock, [PERSON, PERSON], name="c-playing").start().pick().play(5)
    played = Host(
        make_settings(3, "imperial", ["rewards", "wild_boar"]), [PERSON] * 2 + [COMPUTER], name="d-played"
    )
    played.start().do(StepAway(), 1)
    yield played.play_out()
    conceded = Host(make_settings(2, "imperial", []), [PERSON] * 2, name="e-given-up").start().pick().play(3)
    conceded.do(Concede(), 0)
    yield conceded
    record = read_record(RECORDS / "imperial-rewards-boar-3.json")
    yield Host.continuing(record, 20, name="f-gone-on").play(3)
    yield Host.continuing(record, 50, name="g-gone-on").play_out()


def store_game(store: Store, host: Host) -> None:
    """Store a table as the server does: event by event, with memberships."""
    moves = [
        Transition(host.table.event(seq), table_state) for seq, table_state in enumerate(host.table.history)
    ]
    store.write(AddGame(game_row(moves[0]), SEED), append(moves[0]), *membership(host)).result()
    for move in moves[1:]:
        store.write(*store_changes(move)).result()
    outcomes = {place: write_player_result(host.state, place) for place in host.state.persons}
    rows = [
        PlayedRow(GUESTS[place % 2], host.table.id, moves[-1].event.at, json.dumps(outcome))
        for place, outcome in outcomes.items()
        if outcome is not None
    ]
    store.write(*map(Add, rows)).result()


def membership(host: Host) -> list[Change]:
    """Rows for the held chairs and the hashes of link tokens."""
    table, persons = host.table.id, host.state.persons
    held = [Add(HoldingRow(table, place, GUESTS[place % 2])) for place in (OWNER, *persons)]
    links = [(TokenKind.SEAT, place) for place in persons] + [(TokenKind.JOIN, None), (TokenKind.WATCH, None)]
    tokens = [TokenRow(digest(table, kind, place), table, kind, place, None, 0.0) for kind, place in links]
    return [*held, *map(Add, tokens)]


def digest(*parts: object) -> str:
    """The hash of an unknown token."""
    return sha256(repr(parts).encode()).hexdigest()


def a_review() -> ReviewRow:
    """A finished review."""
    record = parse_record(RECORD)
    reviews = [fake_position_review(*place) for place in zip(*positions(record), strict=True)]
    text, subject = kept_record(record)
    return ReviewRow("A" * 43, "friedrich", subject, 5.0, text, dump_position_reviews(reviews, 100))


@cache
def hosted_data() -> bytes:
    """The data file of a stopped server."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        with Store.open(path) as store:
            for name in GUESTS:
                token = TokenRow(digest(name), "", TokenKind.GUEST, None, name, 0.0)
                store.write(Add(GuestRow(name, name.title(), 0.0, 0.0)), Add(token)).result()
            for host in hosts():
                store_game(store, host)
            store.write(Add(a_review())).result()
            store.write(Add(BanRow("a-lobby", "wilhelmine"))).result()
        return path.read_bytes()


def data_file(folder: Path) -> Path:
    """A copy of the data file in a folder."""
    path = folder / "tables.db"
    path.write_bytes(hosted_data())
    return path


def tamper(path: Path, *statements: str) -> None:
    """Change a data file with SQL, without foreign key checks."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, statement


def running_server(data: Path, log: Path, **settings: str) -> AbstractContextManager[ServerProcess]:
    """A forked server that answers requests; it is stopped at the end."""
    environment = {"SANSSOUCI_PLAYERS": "random", **settings}
    return running_process(data, log, environment, path="/health", fork=True)


def computer_game(server: ServerProcess) -> None:
    """Create a table at which two computer players play."""

    async def create() -> None:
        guest = await server.client().as_guest("Ada")
        await guest.create_table("random", "random", edition="imperial")
        await guest.close()

    asyncio.run(create())
