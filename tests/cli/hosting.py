"""A data file as a server leaves it: games of every stage, guests, chairs and links; and a real server."""

import json
import os
import sqlite3
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from hashlib import sha256
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from typer.testing import CliRunner, Result

from sanssouci.cli.app import app
from sanssouci.notation import parse_record, read_record
from sanssouci.review import positions
from sanssouci.server.features.reviews import kept_record, write_looks
from sanssouci.server.tables.live_table import OWNER
from sanssouci.server.tables.persistence import append, game_row, store_changes
from sanssouci.store import (
    AddGame,
    AddGuest,
    AddPlayed,
    AddReview,
    AddToken,
    AssignSeat,
    Ban,
    Change,
    GuestRow,
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

from ..table.host import COMPUTER, OPEN, PERSON, SEED, Host
from ..workers.position_reviews import made_up_look
from .command import fork, wait_for

RECORDS = Path(__file__).parents[1] / "records"
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
    """A lobby, one that is picked at, one with a clock, two that are over, two that go on from a record."""
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


def keep(store: Store, host: Host) -> None:
    """Write a table as the server does: event by event, with who holds what."""
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
    store.write(*map(AddPlayed, rows)).result()


def membership(host: Host) -> list[Change]:
    """Chairs that are held, and the hashes of the links' tokens."""
    table, persons = host.table.id, host.state.persons
    held = [AssignSeat(table, place, GUESTS[place % 2]) for place in (OWNER, *persons)]
    links = [(TokenKind.SEAT, place) for place in persons] + [(TokenKind.JOIN, None), (TokenKind.WATCH, None)]
    tokens = [TokenRow(digest(table, kind, place), table, kind, place, None, 0.0) for kind, place in links]
    return [*held, *map(AddToken, tokens)]


def digest(*parts: object) -> str:
    """The hash of a token that nobody has."""
    return sha256(repr(parts).encode()).hexdigest()


def a_review() -> ReviewRow:
    """One that is ready."""
    record = parse_record((Path(__file__).parents[1] / "records" / "imperial-base-2.json").read_bytes())
    looks = [made_up_look(*place) for place in zip(*positions(record), strict=True)]
    text, subject = kept_record(record)
    return ReviewRow("A" * 43, "friedrich", subject, 5.0, text, write_looks(looks, 100))


@cache
def hosted_data() -> bytes:
    """The data file of a server that was stopped."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tables.db"
        with Store.open(path) as store:
            for name in GUESTS:
                token = TokenRow(digest(name), "", TokenKind.GUEST, None, name, 0.0)
                store.write(AddGuest(GuestRow(name, name.title(), 0.0, 0.0)), AddToken(token)).result()
            for host in hosts():
                keep(store, host)
            store.write(AddReview(a_review())).result()
            store.write(Ban("a-lobby", "wilhelmine")).result()
        return path.read_bytes()


def data_file(folder: Path) -> Path:
    """A data file of one's own."""
    path = folder / "tables.db"
    path.write_bytes(hosted_data())
    return path


def tamper(path: Path, *statements: str) -> None:
    """Change a data file behind the store's back; no key is minded."""
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            assert connection.execute(statement).rowcount != 0, statement


@contextmanager
def running_server(data: Path, log: Path, **settings: str) -> Iterator[tuple[BaseProcess, str]]:
    """A server in a process of its own, with the address that it has told; it is stopped at the end."""
    environment = {"SANSSOUCI_PLAYERS": "random", "SANSSOUCI_WORKERS": "1", **settings}
    with log.open("wb") as output, Path(os.devnull).open("rb") as nothing:
        streams = [nothing.fileno(), output.fileno(), output.fileno()]
        serve = ["serve", "--port", 0, "--data", data]
        process = fork(serve, streams, os.environ | environment)
    try:
        yield process, _address(process, data, log)
    finally:
        process.terminate()
        process.join(60)
        process.kill()


def post(url: str, document: dict[str, Any], token: str = "") -> dict[str, Any]:
    """Ask a server for something, perhaps as a guest."""
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = urllib.request.Request(url, json.dumps(document).encode(), headers, method="POST")
    with urllib.request.urlopen(request, timeout=60) as answer:
        read: dict[str, Any] = json.load(answer)
        return read


def _address(process: BaseProcess, data: Path, log: Path) -> str:
    """Where it listens; it tells others beside its data file."""
    told = data.with_name(data.name + ".server")

    def is_listening() -> bool:
        assert process.is_alive(), log.read_text()
        return told.exists() and b"http" in log.read_bytes()

    wait_for(is_listening)
    url: str = json.loads(told.read_bytes())["url"]
    return url
