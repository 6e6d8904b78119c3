"""Adds a generation of fixtures: ``python -m tests.compatibility.generate 2027-02``.

Run it only to ADD a generation, after a change of a format that users store. A generation is never changed:
it represents the files of users who have not updated since. So the command refuses if it exists.

Browser storage and addresses cannot be generated without a browser. Copy ``browser-storage.json`` and
``addresses.json`` of the previous generation, and edit them by hand.
"""

import json
import lzma
import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sanssouci.dealer import FairDealer
from sanssouci.editions import load_edition, parse_boards
from sanssouci.notation import write_record
from sanssouci.rules import Variant
from sanssouci.store import Store, back_up, export_games
from sanssouci.terminal import PERSON, Seat, Session, write_game

from ..cli.command import run
from ..harness.server import InProcessServer
from ..player_packages import install_all
from ..workers.pools import run_with_timeout
from .server_data import NOW, OWN_BOARDS, PLAYERS, fill
from .summaries import describe_all, viewer_of

Json = dict[str, Any]
FILES = Path(__file__).parent / "files"
ARENA = {
    "base": "--players random,greedy --games 6 --seed 1",
    "three-seats": "--players random,greedy,level:1 --games 6 --seed 2 --edition imperial"
    " --expansions rewards,wild_boar",
    "budgets": "--players planner@3,greedy --games 2 --seed 3 --boards bosquet",
    "faults": "--players raising,random --games 4 --seed 4",
}
"""Each journal, and its command-line options. `raising` fails: see tests/player_packages.py."""


SIMULATE = ("--games", 3, "--seed", 1, "--players", "greedy,random")


def main(generation: str) -> None:
    """Write a new generation; refuse to overwrite one."""
    folder = FILES / generation
    if folder.exists():
        raise SystemExit(f"{generation} exists; a generation is never written again. Choose a new name.")
    with TemporaryDirectory() as scratch:
        target = Path(scratch) / generation
        target.mkdir()
        run_with_timeout(write_server(target, Path(scratch)))
        write_saves(target / "saves")
        write_boards_files(target / "boards")
        write_arena(target / "arena")
        run(
            "simulate",
            "--games",
            3,
            "--seed",
            1,
            "--players",
            "greedy,random",
            "--out",
            target / "results.csv",
        )
        FILES.mkdir(exist_ok=True)
        shutil.move(target, folder)
    print(f"wrote {folder}; add browser-storage.json, addresses.json, and SHA256SUMS by sha256sum")


async def write_server(folder: Path, scratch: Path) -> None:
    """Write the data file with its secrets, its export, and the server's responses about its content."""
    server = InProcessServer(scratch, PLAYERS, name="compatibility")
    server.clock.now = NOW
    await server.open()
    secrets = await fill(server)
    await server.close()
    back_up(server.path, scratch / "copy.db")
    _write_packed(folder / "tables.db.xz", (scratch / "copy.db").read_bytes())
    with Store.open(scratch / "copy.db") as store:
        export_games(store, scratch / "games.jsonl")
    _write_packed(folder / "games.jsonl.xz", (scratch / "games.jsonl").read_bytes())
    secrets = json.loads(json.dumps(secrets))  # integer keys become strings, as they are when read back
    _write_json(folder / "secrets.json", secrets)
    server.players.release()
    await server.open()
    expected = await describe_all(server, secrets)
    (folder / "records").mkdir()
    for name, table in secrets["tables"].items():
        record = await viewer_of(server, secrets, table).request("GET", f"/api/tables/{table['id']}/record")
        if record.status_code == 200:
            (folder / "records" / f"{name}.json").write_bytes(record.content)
    await server.close()
    _write_json(folder / "expected.json", expected)


def write_saves(folder: Path) -> None:
    """Write terminal games at the start, between picks, in the middle and at the end."""
    folder.mkdir()
    both, own = Variant(2, "imperial", rewards=True, wild_boar=True), parse_boards(OWN_BOARDS.encode())
    people = (Seat("Ada", PERSON), Seat("Grace", PERSON), Seat("Moss", "greedy"))
    base, boards = load_edition("ravensburger").boards, load_edition("imperial").boards
    saves = {
        "new": (Session(both, boards, _seats("random"), _dealer(2)), 0),
        "picking": (Session(both, boards, _seats("level:3"), _dealer(2)), 2),
        "playing": (Session(both, boards, _seats("planner@0.05s"), _dealer(2)), 17),
        "own-boards": (Session(Variant(3, deck=own.deck), own, people, _dealer(3)), 20),
        "program": (Session(Variant(2), base, _seats("cmd:bot"), _dealer(2)), 9),
        "over": (Session(Variant(2), base, _seats("random"), _dealer(2)), 99),
    }
    for name, (session, steps) in saves.items():
        for _ in range(steps):
            if seats := session.seats_to_pick():
                session.pick(seats[0], len(session.turns) % 2)
            elif not session.over:
                session.play(next(iter(session.state.options())))
        write_game(session, folder / f"{name}.json")
        if not session.seats_to_pick():
            (folder / f"{name}.record.json").write_bytes(write_record(session.record()))


def _seats(player: str) -> tuple[Seat, ...]:
    return Seat("Ada", PERSON), Seat("Henriette", player)


def _dealer(seats: int) -> FairDealer:
    return FairDealer(bytes(range(32)), "compatibility", ("aa" * 8,) * seats)


def write_boards_files(folder: Path) -> None:
    """Write a template of ``boards new`` and completed files, with their digests."""
    folder.mkdir()
    run("boards", "new", folder / "template.toml")
    (folder / "own.toml").write_text(OWN_BOARDS, encoding="utf-8")
    squares = '["c2", "g2", "a3", "i3", "h4", "a5"]'
    gardens = ", ".join([f"{{ front = {squares} }}"] * 4)
    (folder / "small.toml").write_text(f'[boards]\nname = "small"\ngardens = [{gardens}]\n', encoding="utf-8")
    digests = {path.name: parse_boards(path.read_bytes()).sha256 for path in sorted(folder.glob("*.toml"))}
    _write_json(folder / "digests.json", digests)


def write_arena(folder: Path) -> None:
    """Write journals of complete runs, and of a run killed in the middle of a line."""
    folder.mkdir()
    with TemporaryDirectory() as scratch:
        player_folder = str(install_all(Path(scratch) / "player_folder"))
        for name, text in ARENA.items():
            options = [*text.split(), "--workers", "1", "--resume", folder / f"{name}.jsonl", "--json"]
            done = run("arena", *options, PYTHONPATH=player_folder)
            assert done.returncode == 0, done.stderr
            document = {"options": text.split(), "standings": json.loads(done.stdout)}
            _write_json(folder / f"{name}.standings.json", document)
    whole = (folder / "base.jsonl").read_bytes()
    (folder / "base-torn.jsonl").write_bytes(whole[: whole[:-1].rindex(b"\n") + 20])


def _write_packed(path: Path, data: bytes) -> None:
    path.write_bytes(lzma.compress(data, preset=9 | lzma.PRESET_EXTREME))


def _write_json(path: Path, document: Any) -> None:
    path.write_text(
        json.dumps(document, ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8"
    )


if __name__ == "__main__":
    main(sys.argv[1])
