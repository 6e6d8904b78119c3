"""The store on PostgreSQL: the same rows and errors as on SQLite, and several writers."""

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Thread

import pytest
from sqlalchemy import URL, event, inspect

from sanssouci.locale import UserError
from sanssouci.store import (
    Add,
    AddGame,
    ChangeAccess,
    Conflict,
    DeleteGame,
    ForgetGuest,
    GameVersion,
    HoldingRow,
    Store,
    Unavailable,
    UpdateGame,
    check_chain,
    export_games,
    import_games,
    migration,
    open_snapshot,
)
from sanssouci.store.tables import METADATA

from ..store.builders import (
    SEED,
    a_game,
    a_guest,
    accept_game,
    add_games,
    an_event,
    blocked_writer,
    fill_store,
)
from .programs import PASSWORD, Postgres

pytest.importorskip("psycopg", reason="psycopg is not installed: pip install 'sanssouci-game[cluster]'")
from sanssouci.store.postgres import writing_engine


def test_the_migrations_create_the_declared_tables(url: URL) -> None:
    """One history creates the tables on both databases."""
    engine = writing_engine(url)
    with engine.connect() as connection:
        found = inspect(connection)
        assert {*found.get_table_names()} == {*METADATA.tables, "alembic_version"}
        for name, table in METADATA.tables.items():
            assert [column["name"] for column in found.get_columns(name)] == list(table.c.keys())
        unique = found.get_unique_constraints("event")
        assert [constraint["column_names"] for constraint in unique] == [["game", "command_id"]]
        assert found.get_pk_constraint("event")["constrained_columns"] == ["game", "seq"]


def test_servers_that_start_together_migrate_once(server: Postgres) -> None:
    """Four processes open an empty database at once, and all of them can use it."""
    url = server.new_database()
    begin, opened = Barrier(4), list[Store]()

    def open_store() -> None:
        begin.wait(60)
        opened.append(Store.open(url))

    threads = [Thread(target=open_store) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for store in opened:
        store.close()
    assert len(opened) == 4
    assert server.run("SELECT version_num FROM alembic_version", url.database or "") == [
        (migration.newest_version(),)
    ]


def test_rows_survive_and_are_listed_in_the_same_order(store: Store, tmp_path: Path) -> None:
    """A data file and a database with the same rows answer every list in the same way."""
    with Store.open(tmp_path / "games.db") as file:
        for each in (store, file):
            fill_store(each)
            add_games(each, "Zeta", "alpha", "ä", "0", events=1)
        assert [game.id for game in store.all_games()] == [game.id for game in file.all_games()]
        assert [*store.checked_guest_exports()] == [*file.checked_guest_exports()]
        for game in file.all_games():
            assert store.checked_game_export(game) == file.checked_game_export(game)
        for guest in ("wilhelmine", "friedrich"):
            assert store.games_of(guest, 1) == file.games_of(guest, 1)
            assert store.games_of(guest) == file.games_of(guest)
            assert store.unfinished_games_of(guest) == file.unfinished_games_of(guest)
        assert store.open_games(3) == file.open_games(3)
        assert store.idle_games(9.0) == file.idle_games(9.0)
        assert store.idle_lobbies(9.0, 3) == file.idle_lobbies(9.0, 3)
        assert store.stray_tokens() == file.stray_tokens()


def test_an_export_of_one_database_is_byte_equal_to_that_of_the_other(store: Store, tmp_path: Path) -> None:
    """SQLite → export → PostgreSQL → export → SQLite → export: three equal files."""
    files = [tmp_path / f"{number}.jsonl" for number in range(3)]
    with Store.open(tmp_path / "first.db") as first, Store.open(tmp_path / "last.db") as last:
        fill_store(first)
        export_games(first, files[0])
        for source, target, file in ((files[0], store, files[1]), (files[1], last, files[2])):
            import_games(target, source, accept_game)
            export_games(target, file)
    assert files[0].read_bytes() == files[1].read_bytes() == files[2].read_bytes()


def test_a_failed_import_leaves_nothing(store: Store, tmp_path: Path) -> None:
    """An import is one transaction."""
    with Store.open(tmp_path / "games.db") as file:
        fill_store(file)
        export_games(file, tmp_path / "games.jsonl")
    add_games(store, "h", events=1)

    with pytest.raises(UserError):
        import_games(store, tmp_path / "games.jsonl", accept_game)
    assert [game.id for game in store.all_games()] == ["h"] and store.guest("friedrich") is None


def test_a_second_store_writes_too_and_the_key_decides(store: Store, url: URL) -> None:
    """Two processes append the same event: one is stored, the other is a conflict, and there is no gap."""
    add_games(store, "g", events=3)
    with Store.open(url) as other:
        for seq in range(3, 40):
            writes = [store.write(an_event(seq, command_id=f"a{seq}"))]
            writes.append(other.write(an_event(seq, command_id=f"b{seq}")))
            errors = {type(write.exception(60)) for write in writes}
            assert errors == {Conflict, type(None)}
        assert check_chain(other.events("g"), last=39) is None


def test_a_conflict_in_a_batch_leaves_the_other_writes(store: Store) -> None:
    """PostgreSQL aborts a transaction at the first error, so each write has a savepoint."""
    add_games(store, "g", "h", events=1)
    with blocked_writer(store):
        writes = [
            store.write(an_event(1, "g")),
            store.write(UpdateGame(a_game("h", summary="bad")), an_event(1, "h", command_id="c0")),
            store.write(an_event(1, "h")),
            store.write(Add(replace(a_guest(), name="zero \0 byte"))),
            store.write(Add(a_guest("sophie"))),
        ]
    errors = [type(write.exception(60)) for write in writes]
    assert errors == [type(None), Conflict, type(None), ValueError, type(None)]
    game = store.game("h")
    assert game is not None and game.summary == "{}" and len(store.events("h")) == 2


def test_a_lock_that_another_process_holds_costs_one_write_only(store: Store, url: URL) -> None:
    """A process that stops in a transaction delays a write by the lock timeout; the others are stored."""
    add_games(store, "g", "h", events=1)
    engine = writing_engine(url)
    with engine.begin() as connection:
        connection.exec_driver_sql("UPDATE game SET summary = 'held' WHERE id = 'g'")
        with blocked_writer(store):
            blocked = store.write(UpdateGame(a_game("g", summary="new")))
            free = store.write(an_event(1, "h"))
        assert isinstance(blocked.exception(60), Conflict) and free.exception(60) is None
    assert not store.failing


def test_a_command_conflicts_with_a_change_of_access_elsewhere(store: Store, url: URL) -> None:
    """A write that was authorised before access changed is refused as a whole."""
    add_games(store, "g", events=1)
    with Store.open(url) as other:
        other.write(ChangeAccess("g", 0)).result(60)
    late = store.write(an_event(1), UpdateGame(a_game("g", seq=1), access=0))
    assert isinstance(late.exception(60), Conflict) and len(store.events("g")) == 1
    store.write(an_event(1), UpdateGame(a_game("g", seq=1), access=1, changes_access=True)).result(60)
    assert store.versions(["g", "gone"]) == {"g": GameVersion(1, 2)}


def test_forgetting_a_guest_changes_the_access_of_the_guests_games(store: Store) -> None:
    """Servers that have these games in memory learn that a chair was lost."""
    fill_store(store)
    store.write(ForgetGuest("wilhelmine")).result(60)
    assert store.versions(["g", "h"]) == {"g": GameVersion(2, 1), "h": GameVersion(2, 0)}


def test_a_snapshot_does_not_change_while_others_write(store: Store, url: URL) -> None:
    """``admin check`` and ``admin export`` read one moment, however long they take."""
    add_games(store, "g", events=2)
    with open_snapshot(url) as snapshot:
        assert snapshot is not None and snapshot.count_games() == 1
        store.write(an_event(2)).result(60)
        store.write(DeleteGame("g")).result(60)
        assert len(snapshot.events("g")) == 2
    assert store.game("g") is None


def test_an_id_that_no_column_can_hold_is_not_found(store: Store) -> None:
    """A zero byte in an address of a browser is no error of the database."""
    assert store.game("a\0b") is None and not store.unreadable


def test_a_deleted_game_is_gone_with_everything(store: Store) -> None:
    """Games and guests are deleted with all their rows."""
    fill_store(store)
    store.delete(["g", "h"], ["wilhelmine", "friedrich"])
    assert store.count_games() == 0 and store.stray_tokens() == 0 and [*store.all_guests()] == []


def test_a_broken_connection_is_replaced(store: Store, server: Postgres, url: URL) -> None:
    """Reads go on; one write fails and says so, and the next is stored."""
    add_games(store, "g", events=1)
    server.cut_connections(url)
    assert len(store.events("g")) == 1
    error = store.write(an_event(1)).exception(60)
    assert error is None or isinstance(error, Unavailable)
    store.probe().result(60)
    assert not store.failing
    assert store.write(an_event(2 if error is None else 1)).exception(60) is None


def test_a_read_sends_as_little_as_possible(store: Store) -> None:
    """A single query is the only message; several see the same snapshot, in a transaction."""
    add_games(store, "g", events=2)
    sent: list[str] = []

    @event.listens_for(store._database.readers, "before_cursor_execute")
    def note(_: object, __: object, statement: str, *rest: object) -> None:
        sent.append(statement.split(maxsplit=1)[0])

    store.versions(["g"])
    assert sent == ["SELECT"]
    sent.clear()
    store.stored_table("g")
    assert sent == ["BEGIN", *["SELECT"] * 5]


def test_a_read_only_database_refuses_writes_until_it_is_writable(
    store: Store, server: Postgres, url: URL
) -> None:
    """Writes say that it is read-only; they work again as soon as it is not."""
    add_games(store, "g", events=1)
    server.run(f"ALTER DATABASE {url.database} SET default_transaction_read_only = on")
    server.cut_connections(url)
    errors = [store.write(an_event(1)).exception(60) for _ in range(2)]
    last = errors[-1]
    assert isinstance(last, Unavailable) and "read-only" in str(last) and store.failing
    assert len(store.events("g")) == 1
    server.run(f"ALTER DATABASE {url.database} SET default_transaction_read_only = off")
    server.cut_connections(url)
    with suppress(Unavailable):  # the connection that was cut
        store.probe().result(60)
    store.write(an_event(1)).result(60)


def opening_error(url: URL, create: bool = True) -> UserError:
    with pytest.raises(UserError) as caught:
        Store.open(url, create).close()
    assert PASSWORD not in str(caught.value) and PASSWORD not in repr(caught.value)
    return caught.value


def test_a_database_that_cannot_be_used_is_named_without_its_password(server: Postgres, url: URL) -> None:
    """Every cause has a sentence of its own."""

    def reason(url: URL) -> str:
        error = opening_error(url)
        assert error.key == "store.unusable"
        reason = error.details["reason"]
        assert isinstance(reason, UserError)
        return reason.key

    assert reason(url.set(password=PASSWORD + "!")) == "os_error.database_login"
    assert reason(url.set(username="nobody")) == "os_error.database_login"
    assert reason(url.set(database="nowhere")) == "os_error.no_such_database"
    verified = url.update_query_dict({"sslmode": "verify-full", "sslrootcert": "missing.crt"})
    assert reason(verified) == "os_error.database_tls"
    assert reason(url.set(port=1)) == "os_error.database_away"
    assert reason(url.set(host="no.such.host.invalid")) == "os_error.database_away"


def test_tables_of_another_version_or_program_are_left_alone(server: Postgres, url: URL) -> None:
    """A newer schema and other tables are refused; only a server migrates an older one."""
    database = url.database or ""
    server.run("UPDATE alembic_version SET version_num = '9999'", database)
    assert opening_error(url).key == "store.newer"
    server.run("UPDATE alembic_version SET version_num = '0005'", database)
    assert opening_error(url, create=False).key == "store.other_schema"
    assert opening_error(server.new_database(), create=False).key == "store.other_schema"
    server.run("DROP TABLE alembic_version", database)
    assert opening_error(url).key == "store.foreign"


def test_a_game_of_a_deleted_guest_conflicts(store: Store) -> None:
    """Foreign keys hold."""
    add_games(store, "g", events=1)
    assert isinstance(store.write(Add(HoldingRow("g", 0, "nobody"))).exception(60), Conflict)
    assert isinstance(store.write(AddGame(a_game("g"), SEED)).exception(60), Conflict)
