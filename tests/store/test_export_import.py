"""Export and import: a round trip keeps every row; truncated, altered or forged files are refused."""

import json
import shutil
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from sanssouci.locale import LANGUAGES, UserError
from sanssouci.store import (
    Add,
    Counts,
    DamagedRow,
    GameExport,
    GuestRow,
    Store,
    check_file,
    check_games,
    check_guests,
    export_games,
    import_games,
    reporting,
)

from ..helpers import user_error
from .builders import a_token, accept_game, add_games, all_rows, empty_data_file, fill_store

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a filled store and its export."""
    folder = tmp_path_factory.mktemp("source")
    with Store.open(folder / "source.db") as store:
        fill_store(store)
        reported: list[int] = []
        counts = export_games(
            store, folder / "games.jsonl", progress=lambda so_far: reported.append(so_far.games)
        )
        assert counts == Counts(guests=2, games=2) and reported == [0, 0, 1, 2]
        assert store.count_games() == 2
    return folder


@pytest.fixture
def exported(tmp_path: Path, source: Path) -> Path:
    """The export, next to its data file, in a folder that the test may change."""
    shutil.copytree(source, tmp_path, dirs_exist_ok=True)
    return tmp_path / "games.jsonl"


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    """An empty store."""
    (tmp_path / "target.db").write_bytes(empty_data_file())
    with Store.open(tmp_path / "target.db") as store:
        yield store


def test_an_export_can_be_imported(tmp_path: Path, exported: Path, empty: Store) -> None:
    """An import restores all rows of all tables, and exporting again gives the same bytes."""
    assert import_games(empty, exported, accept_game) == Counts(guests=2, games=2)
    assert all_rows(tmp_path / "target.db") == all_rows(tmp_path / "source.db")
    export_games(empty, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == exported.read_bytes()


def test_an_export_is_json_lines_with_a_checksum(exported: Path) -> None:
    """An export has the format of docs/store.md and is readable only by its owner."""
    *lines, last = exported.read_bytes().splitlines(keepends=True)
    assert json.loads(lines[0]) == {"format": "sanssouci-games/1"}
    digest = sha256(b"".join(lines)).hexdigest()
    assert json.loads(last) == {"end": {"guests": 2, "games": 2, "sha256": digest}}
    assert stat.S_IMODE(exported.stat().st_mode) == 0o600


def test_an_export_never_replaces_the_data(tmp_path: Path) -> None:
    """An export to the data file or one of its companion files is refused, even with ``force``."""
    path = tmp_path / "source.db"
    with Store.open(path) as store:
        fill_store(store)
        before = all_rows(path)
        for ending in ("", "-wal", ".lock"):
            with pytest.raises(UserError) as caught:
                export_games(store, path.with_name(path.name + ending), force=True)
            assert caught.value.key == "store.same_file"
        assert all_rows(path) == before


def test_an_export_replaces_a_file_only_with_force(empty: Store, exported: Path) -> None:
    """An existing file is kept unless forced, and a failed export leaves no temporary file."""
    before = exported.read_bytes()
    with user_error("store.exists"):
        export_games(empty, exported)
    assert exported.read_bytes() == before
    assert export_games(empty, exported, force=True) == Counts(0, 0)
    assert import_games(empty, exported, accept_game) == Counts(0, 0)
    with pytest.raises(UserError):
        export_games(empty, exported.parent / "nowhere" / "x.jsonl")
    assert not [file for file in exported.parent.iterdir() if file.name.startswith(".sanssouci")]


def import_error(store: Store, path: Path, check: Any = accept_game) -> str:
    """The key of the error with which an import fails; the store is unchanged."""
    before = all_rows(store.path)
    with pytest.raises(UserError) as caught:
        import_games(store, path, check)
    assert all(caught.value.translate(language) for language in LANGUAGES)
    assert all_rows(store.path) == before
    return caught.value.key


def test_a_truncated_file_is_refused(exported: Path, empty: Store) -> None:
    """A file cut between or inside lines is refused, as is a file with data after its end."""
    whole = exported.read_bytes()
    ends = [place + 1 for place, byte in enumerate(whole) if byte == ord("\n")]
    for cut in [0, 1, 20, *ends[:-1], *(end - 1 for end in ends), len(whole) // 2]:
        exported.write_bytes(whole[:cut])
        assert import_error(empty, exported) == ("store.no_export" if cut < ends[0] else "store.truncated")
    exported.write_bytes(whole + whole)
    assert import_error(empty, exported) == "store.altered"


def test_a_changed_byte_is_detected(exported: Path, empty: Store) -> None:
    """A file with any one bit flipped is refused."""
    whole = exported.read_bytes()
    for place in range(0, len(whole), 97):
        exported.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert import_error(empty, exported).startswith("store.")


def forge_file(path: Path, forge: Callable[[Lines], object]) -> Path:
    """Change the file, and recompute its last line."""
    lines: Lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()[:-1]]
    forge(lines)
    data = b"".join(json.dumps(line).encode("ascii") + b"\n" for line in lines)
    games, guests = sum("game" in line for line in lines), sum("guest" in line for line in lines)
    end = {"end": {"guests": guests, "games": games, "sha256": sha256(data).hexdigest()}}
    path.write_bytes(data + json.dumps(end).encode("ascii") + b"\n")
    return path


def test_a_rewritten_file_is_imported(exported: Path, empty: Store) -> None:
    """``forge_file`` without a forgery gives a valid file, so the next test fails on the forgeries only."""
    assert import_games(empty, forge_file(exported, len), accept_game) == Counts(2, 2)


# Lines of the export: the format, friedrich, wilhelmine, game g, game h.
FORGERIES: dict[str, tuple[Callable[[Lines], object], str]] = {
    "body": (lambda lines: lines[3]["events"][1].update(body="{}"), "store.broken_chain"),
    "gap": (lambda lines: lines[3]["events"].pop(1), "store.broken_chain"),
    "cut": (lambda lines: lines[3]["events"].pop(), "store.broken_chain"),
    "event of another game": (lambda lines: lines[3]["events"][0].update(game="h"), "store.bad_line"),
    "events exchanged": (lambda lines: lines[3].update(events=lines[4]["events"]), "store.bad_line"),
    "twice": (lambda lines: lines.append(lines[3]), "store.misfit"),
    "two holders": (lambda lines: lines[3]["holdings"].append(lines[3]["holdings"][0]), "store.misfit"),
    "unknown holder": (lambda lines: lines[3]["holdings"][0].update(guest="nobody"), "store.misfit"),
    "token of a guest": (lambda lines: lines[3]["tokens"][0].update(game=""), "store.bad_line"),
    "token of another": (lambda lines: lines[1]["tokens"][0].update(guest="wilhelmine"), "store.bad_line"),
    "seat token of a guest": (lambda lines: lines[1]["tokens"][0].update(kind="seat"), "store.bad_line"),
    "unknown kind": (lambda lines: lines[3]["tokens"][0].update(kind="king"), "store.bad_line"),
    "no name": (lambda lines: lines[3]["game"].update(id=""), "store.bad_line"),
    "wrong type": (lambda lines: lines[3]["game"].update(waiting="1"), "store.bad_line"),
    "true for a number": (lambda lines: lines[3]["game"].update(waiting=True), "store.bad_line"),
    "no number": (lambda lines: lines[3]["game"].update(deadline=float("nan")), "store.bad_line"),
    "too large": (lambda lines: lines[3]["game"].update(waiting=2**80), "store.misfit"),
    "half a character": (lambda lines: lines[3]["game"].update(summary="\ud800"), "store.bad_line"),
    "one field more": (lambda lines: lines[3]["game"].update(extra=1), "store.bad_line"),
    "one field less": (lambda lines: lines[3]["game"].pop("seq"), "store.bad_line"),
    "no seed": (lambda lines: lines[3].pop("seed"), "store.bad_line"),
    "odd seed": (lambda lines: lines[3].update(seed="xyz"), "store.bad_line"),
    "seed no text": (lambda lines: lines[3].update(seed=5), "store.bad_line"),
    "events no list": (lambda lines: lines[3].update(events={}), "store.bad_line"),
    "something else": (lambda lines: lines.append({"castle": 1}), "store.bad_line"),
    "newer": (lambda lines: lines[0].update(format="sanssouci-games/2"), "store.newer_export"),
    "other": (lambda lines: lines[0].update(format="sanssouci-arena/1"), "store.no_export"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_file_is_refused(exported: Path, empty: Store, name: str) -> None:
    """A forgery with a valid last line is refused, and nothing of the file is imported."""
    forge, key = FORGERIES[name]
    assert import_error(empty, forge_file(exported, forge)) == key


@pytest.mark.parametrize("line", [b"5", b"[]", b"\xff", b"[" * 100_000, b"{" + b'"a":{' * 100_000, b""])
def test_lines_that_are_not_json_objects_are_refused(exported: Path, empty: Store, line: bytes) -> None:
    """A number, a list, invalid UTF-8, deep nesting and an empty line are refused."""
    whole = exported.read_bytes().split(b"\n")
    exported.write_bytes(b"\n".join([*whole[:2], line, *whole[2:]]))
    assert import_error(empty, exported) == "store.bad_line"


def test_an_existing_game_is_not_imported_again(exported: Path, empty: Store) -> None:
    """If a game already exists nothing is imported, and the error names the game."""
    add_games(empty, "h", events=1)
    with pytest.raises(UserError, match="game h"):
        import_games(empty, exported, accept_game)
    assert [game.id for game in empty.all_games()] == ["h"] and empty.guest("friedrich") is None


def test_an_existing_guest_is_not_overwritten(exported: Path, empty: Store) -> None:
    """An existing guest keeps name and tokens, gets no token from the file, but gets the imported chairs."""
    empty.write(Add(GuestRow("friedrich", "Old Fritz", 1.0, 1.0))).result()
    import_games(empty, exported, accept_game)
    guest = empty.guest("friedrich")
    assert guest is not None and guest.name == "Old Fritz" and empty.tokens_of("friedrich") == []
    assert empty.token("w" * 64) == a_token("w" * 64, guest="wilhelmine")
    assert [holding.chairs for holding in empty.games_of("friedrich")] == [(1,), (2,)]


def test_every_game_is_checked_before_import(exported: Path, empty: Store) -> None:
    """If the check refuses one game, nothing is imported."""
    seen: list[tuple[str, int]] = []

    def check(export: GameExport) -> None:
        seen.append((export.game.id, len(export.events)))
        if export.game.id == "h":
            raise UserError("file.missing")

    assert import_error(empty, exported, check) == "file.missing"
    assert seen == [("g", 3), ("h", 3)]


def test_importing_a_missing_file(empty: Store, tmp_path: Path) -> None:
    """Importing a missing file or a folder is a user error."""
    assert import_error(empty, tmp_path / "absent.jsonl") == "store.unusable"
    assert import_error(empty, tmp_path) == "store.unusable"


def test_check_games_finds_broken_games(store: Store, path: Path) -> None:
    """An altered event and a game that the check refuses are reported, each for its game only."""
    add_games(store, "a", "b", "c", events=4)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("""UPDATE event SET body = '{"n":7}' WHERE game = 'b' AND seq = 2""")

    def check(export: GameExport) -> None:
        if export.game.id == "c":
            raise UserError("file.missing")

    found = {game.id: user_error for game, user_error in check_games(store, check)}
    assert found["a"] is None and found["c"] is not None and found["c"].key == "file.missing"
    assert found["b"] is not None and found["b"].details == {"game": "b", "seq": 2}
    check_file(store)


WRONG_TYPES = {
    "game": "UPDATE event SET body = x'ff' WHERE game = 'g'",
    "kind": "UPDATE token SET kind = 'king' WHERE game = 'g'",
    "seed": "UPDATE secret SET seed = 'text' WHERE game = 'g'",
    "waiting": "UPDATE game SET waiting = 'all' WHERE id = 'g'",
    "time": "UPDATE game SET updated_at = 9e999 WHERE id = 'g'",
}


@pytest.mark.parametrize("wrong", WRONG_TYPES)
def test_values_of_the_wrong_type_are_reported(store: Store, path: Path, wrong: str) -> None:
    """A value of the wrong type is reported as damaged; other games can still be read."""
    fill_store(store)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(WRONG_TYPES[wrong])
    found: list[DamagedRow] = []
    with reporting(store, found.append):
        games = {game.id: game for game in store.all_games()}
    if "g" in games:
        with pytest.raises(DamagedRow) as caught:
            store.checked_game_export(games["g"])
        found.append(caught.value)
    assert [row.game for row in found] == ["g"]
    assert len(store.checked_game_export(games["h"]).events) == 3


@pytest.mark.parametrize(
    "wrong",
    [
        "UPDATE token SET game = 'nowhere' WHERE game = 'g' AND kind = 'seat'",
        "UPDATE token SET kind = 'guest' WHERE game = 'g' AND kind = 'seat'",
        "UPDATE token SET kind = 'seat' WHERE game = ''",
        "UPDATE token SET guest = NULL WHERE game = ''",
        "UPDATE guest SET created_at = 'long ago'",
    ],
)
def test_check_guests_finds_invalid_rows(store: Store, path: Path, wrong: str) -> None:
    """Tokens without a guest or game, contradictory tokens and invalid guests are reported."""
    fill_store(store)
    assert check_guests(store) == (2, [])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(wrong)
    assert check_guests(store)[1] != []


def test_check_file_finds_orphaned_rows(store: Store, path: Path) -> None:
    """An event without a game is damage."""
    add_games(store, "a", events=1)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM game")
    with user_error("store.damaged"):
        check_file(store)


def test_one_of_two_reviews_of_a_game_is_imported(exported: Path, empty: Store) -> None:
    """The finished one: an export of before may have another one, which a second server had begun."""

    def add_review(lines: Lines) -> None:
        (finished,) = lines[2]["reviews"]
        lines[2]["reviews"] = [{**finished, "id": "early", "created_at": 1.0, "body": ""}, finished]
        lines[2]["reviews"] += [{**finished, "id": "late", "created_at": 99.0}]

    import_games(empty, forge_file(exported, add_review), accept_game)
    assert [row.id for row in empty.reviews_of("wilhelmine")] == ["her link"]
