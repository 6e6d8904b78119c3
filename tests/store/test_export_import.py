"""Export and import: everything goes out and comes back; what was cut, changed or forged does not come in."""

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
    AddGuest,
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

from .builders import a_token, begin, empty_data_file, everything, furnish, no_examination

Lines = list[dict[str, Any]]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with something of everything, and an export of it."""
    folder = tmp_path_factory.mktemp("source")
    with Store.open(folder / "source.db") as store:
        furnish(store)
        heard: list[int] = []
        tally = export_games(
            store, folder / "games.jsonl", progress=lambda counts: heard.append(counts.games)
        )
        assert tally == Counts(guests=2, games=2) and heard == [0, 0, 1, 2]
        assert store.count_games() == 2
    return folder


@pytest.fixture
def exported(tmp_path: Path, source: Path) -> Path:
    """The export, in a folder of the test's own, beside what it was made from."""
    shutil.copytree(source, tmp_path, dirs_exist_ok=True)
    return tmp_path / "games.jsonl"


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Store]:
    """A store with nothing in it."""
    (tmp_path / "target.db").write_bytes(empty_data_file())
    with Store.open(tmp_path / "target.db") as store:
        yield store


def test_everything_comes_back(tmp_path: Path, exported: Path, empty: Store) -> None:
    """All rows of all tables, hashes and all; and exported again it is the same file."""
    assert import_games(empty, exported, no_examination) == Counts(guests=2, games=2)
    assert everything(tmp_path / "target.db") == everything(tmp_path / "source.db")
    export_games(empty, tmp_path / "again.jsonl")
    assert (tmp_path / "again.jsonl").read_bytes() == exported.read_bytes()


def test_an_export_is_lines_of_json_that_the_last_vouches_for(exported: Path) -> None:
    """As docs/store.md tells; only its owner can read it."""
    *lines, last = exported.read_bytes().splitlines(keepends=True)
    assert json.loads(lines[0]) == {"format": "sanssouci-games/1"}
    digest = sha256(b"".join(lines)).hexdigest()
    assert json.loads(last) == {"end": {"guests": 2, "games": 2, "sha256": digest}}
    assert stat.S_IMODE(exported.stat().st_mode) == 0o600


def test_an_export_never_replaces_the_data(tmp_path: Path) -> None:
    """Neither the file itself nor what belongs to it, whatever is forced; the data stay as they were."""
    path = tmp_path / "source.db"
    with Store.open(path) as store:
        furnish(store)
        before = everything(path)
        for ending in ("", "-wal", ".lock"):
            with pytest.raises(UserError) as caught:
                export_games(store, path.with_name(path.name + ending), force=True)
            assert caught.value.key == "store.same_file"
        assert everything(path) == before


def test_an_export_replaces_nothing_unless_it_is_wanted(empty: Store, exported: Path) -> None:
    """Nor does it leave a torn file anywhere."""
    before = exported.read_bytes()
    with pytest.raises(UserError, match="--force"):
        export_games(empty, exported)
    assert exported.read_bytes() == before
    assert export_games(empty, exported, force=True) == Counts(0, 0)
    assert import_games(empty, exported, no_examination) == Counts(0, 0)
    with pytest.raises(UserError):
        export_games(empty, exported.parent / "nowhere" / "x.jsonl")
    assert not [file for file in exported.parent.iterdir() if file.name.startswith(".sanssouci")]


def refused(store: Store, path: Path, examine: Any = no_examination) -> str:
    """The key of why a file is not let in; nothing of it is kept."""
    before = everything(store.path)
    with pytest.raises(UserError) as caught:
        import_games(store, path, examine)
    assert all(caught.value.translate(language) for language in LANGUAGES)
    assert everything(store.path) == before
    return caught.value.key


def test_a_file_that_was_cut_anywhere_is_not_let_in(exported: Path, empty: Store) -> None:
    """Between lines, inside a line, after the last but one byte; nor one that goes on after its end."""
    whole = exported.read_bytes()
    ends = [place + 1 for place, sign in enumerate(whole) if sign == ord("\n")]
    for cut in [0, 1, 20, *ends[:-1], *(end - 1 for end in ends), len(whole) // 2]:
        exported.write_bytes(whole[:cut])
        assert refused(empty, exported) == ("store.no_export" if cut < ends[0] else "store.truncated")
    exported.write_bytes(whole + whole)
    assert refused(empty, exported) == "store.altered"


def test_a_changed_byte_is_seen(exported: Path, empty: Store) -> None:
    """Whichever byte it is: each is in a line that no longer reads, a chain, or the hash of the last line."""
    whole = exported.read_bytes()
    for place in range(0, len(whole), 97):
        exported.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert refused(empty, exported).startswith("store.")


def forged(path: Path, forge: Callable[[Lines], object]) -> Path:
    """The file as changed by somebody who also makes the last line anew."""
    lines: Lines = [json.loads(line) for line in path.read_text(encoding="ascii").splitlines()[:-1]]
    forge(lines)
    data = b"".join(json.dumps(line).encode("ascii") + b"\n" for line in lines)
    games, guests = sum("game" in line for line in lines), sum("guest" in line for line in lines)
    end = {"end": {"guests": guests, "games": games, "sha256": sha256(data).hexdigest()}}
    path.write_bytes(data + json.dumps(end).encode("ascii") + b"\n")
    return path


def test_a_forger_without_a_forgery_is_let_in(exported: Path, empty: Store) -> None:
    """What the next test finds are its forgeries, not its way of writing."""
    assert import_games(empty, forged(exported, len), no_examination) == Counts(2, 2)


# Lines of the export: the format, friedrich, wilhelmine, game g, game h.
FORGERIES: dict[str, tuple[Callable[[Lines], object], str]] = {
    "body": (lambda lines: lines[3]["events"][1].update(body="{}"), "store.broken_chain"),
    "gap": (lambda lines: lines[3]["events"].pop(1), "store.broken_chain"),
    "cut": (lambda lines: lines[3]["events"].pop(), "store.broken_chain"),
    "of another game": (lambda lines: lines[3]["events"][0].update(game="h"), "store.bad_line"),
    "events exchanged": (
        lambda lines: lines[3].update(events=lines[4]["events"]),
        "store.bad_line",
    ),
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
def test_a_forged_file_is_not_let_in(exported: Path, empty: Store, name: str) -> None:
    """Though its last line fits: each has its sentence, and nothing of the file is kept."""
    forge, key = FORGERIES[name]
    assert refused(empty, forged(exported, forge)) == key


@pytest.mark.parametrize("line", [b"5", b"[]", b"\xff", b"[" * 100_000, b"{" + b'"a":{' * 100_000, b""])
def test_lines_that_are_no_objects(exported: Path, empty: Store, line: bytes) -> None:
    """A number, a list, no text, a pit of brackets, an empty line."""
    whole = exported.read_bytes().split(b"\n")
    exported.write_bytes(b"\n".join([*whole[:2], line, *whole[2:]]))
    assert refused(empty, exported) == "store.bad_line"


def test_games_that_are_here_are_not_imported_again(exported: Path, empty: Store) -> None:
    """Nor are the new ones beside them; the sentence names the game."""
    begin(empty, "h", events=1)
    with pytest.raises(UserError, match="game h"):
        import_games(empty, exported, no_examination)
    assert [game.id for game in empty.all_games()] == ["h"] and empty.guest("friedrich") is None


def test_a_guest_who_is_here_is_not_taken_over(exported: Path, empty: Store) -> None:
    """Name and tokens stay; who holds a token of the file is nobody here. The chairs are the guest's."""
    empty.write(AddGuest(GuestRow("friedrich", "Old Fritz", 1.0, 1.0))).result()
    import_games(empty, exported, no_examination)
    guest = empty.guest("friedrich")
    assert guest is not None and guest.name == "Old Fritz" and empty.tokens_of("friedrich") == []
    assert empty.token("w" * 64) == a_token("w" * 64, guest="wilhelmine")
    assert [held.chairs for held in empty.games_of("friedrich")] == [(1,), (2,)]


def test_every_game_is_examined_before_it_is_let_in(exported: Path, empty: Store) -> None:
    """The rules have the last word, and if they say no to one game none comes in."""
    seen: list[tuple[str, int]] = []

    def examine(parcel: GameExport) -> None:
        seen.append((parcel.game.id, len(parcel.events)))
        if parcel.game.id == "h":
            raise UserError("file.missing")

    assert refused(empty, exported, examine) == "file.missing"
    assert seen == [("g", 3), ("h", 3)]


def test_a_file_that_is_not_there(empty: Store, tmp_path: Path) -> None:
    """A sentence, no traceback."""
    assert refused(empty, tmp_path / "absent.jsonl") == "store.unusable"
    assert refused(empty, tmp_path) == "store.unusable"


def test_an_inspection_finds_the_broken_game(store: Store, path: Path) -> None:
    """Of three games one was changed behind the store's back, one does not please the rules."""
    begin(store, "a", "b", "c", events=4)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("""UPDATE event SET body = '{"n":7}' WHERE game = 'b' AND seq = 2""")

    def examine(parcel: GameExport) -> None:
        if parcel.game.id == "c":
            raise UserError("file.missing")

    found = {game.id: user_error for game, user_error in check_games(store, examine)}
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
def test_values_of_another_type_are_refused(store: Store, path: Path, wrong: str) -> None:
    """SQLite keeps any value in any column; the other games can still be read."""
    furnish(store)
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
def test_guests_and_tokens_are_looked_through(store: Store, path: Path, wrong: str) -> None:
    """A token of nobody, of no game, or of two minds; a guest that was not written by the store."""
    furnish(store)
    assert check_guests(store) == (2, [])
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(wrong)
    assert check_guests(store)[1] != []


def test_an_inspection_finds_a_damaged_file(store: Store, path: Path) -> None:
    """A row that belongs to no game is damage."""
    begin(store, "a", events=1)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM game")
    with pytest.raises(UserError, match="damaged"):
        check_file(store)
