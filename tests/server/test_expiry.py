"""Unused lobbies: when they are deleted, and how much one address can store."""

import asyncio

import pytest

from sanssouci.server.rate_limits import Limit, RateLimited, StorageQuota, current_address
from sanssouci.server.tables import scheduler
from sanssouci.server.tables.live_table import SEAT_LOST
from sanssouci.store import ExpireGame, HoldingRow, Store

from ..harness.builders import NONCE
from ..harness.server import InProcessServer, with_server
from ..store.builders import blocked_writer, empty_data_file, query
from ..workers.pools import until

HOUR, DAY = 3600.0, 86_400.0


def _tables_left(server: InProcessServer) -> set[str]:
    return {row[0] for row in query(server.path, "SELECT id FROM game")}


async def _pass(server: InProcessServer, seconds: float) -> None:
    """Let time pass; the first sweep evicts idle tables, the second one can delete them."""
    server.clock.advance(seconds)
    await server.sweep()
    server.clock.advance(scheduler.EXPIRY_INTERVAL)
    await server.sweep()


@with_server()
async def test_an_unused_lobby_expires(server: InProcessServer) -> None:
    """After a day if only its creator sits there, with all its rows; whoever returns learns why."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open", visibility="open")
    await _pass(server, DAY - HOUR)
    assert _tables_left(server) == {table.id}
    await _pass(server, HOUR)
    rows = server.rows()
    assert not any(rows[name] for name in ("game", "secret", "event", "holding", "barred"))
    assert [row[1] for row in rows["token"]] == [""], "only the guest's own"
    for client in (ada, await server.guest("Bob"), server.client().with_key(table.join)):
        answer = await client.request("GET", f"/api/tables/{table}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (410, "server.table_expired")
    answer = await ada.request("POST", f"/api/tables/{table}/tickets", {})
    assert answer.status_code == 410
    assert (await ada.request("GET", "/api/tables/0123456789abcdef")).status_code == 404


@with_server()
async def test_a_lobby_with_two_guests_expires_after_a_week(server: InProcessServer) -> None:
    """Seven days after its last event."""
    table, *_ = await server.two_players()
    await _pass(server, 7 * DAY - HOUR)
    assert _tables_left(server) == {table.id}
    await _pass(server, HOUR)
    assert _tables_left(server) == set()


@with_server()
async def test_a_lobby_with_a_socket_does_not_expire(server: InProcessServer) -> None:
    """Nor one that was looked at minutes ago; it expires when everybody has gone."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    socket = await ada.connect(table)
    await socket.receive()
    await _pass(server, 30 * DAY)
    assert _tables_left(server) == {table.id}
    await socket.close()
    await until(lambda: not server.services.registry.live_tables()[0].subscribers)
    await ada.view(table)
    await server.sweep()
    assert _tables_left(server) == {table.id}
    await _pass(server, HOUR)
    assert _tables_left(server) == set()


@with_server()
async def test_games_do_not_expire(server: InProcessServer) -> None:
    """A game that has started stays, however long nobody plays, and so does one that is over."""
    ada = await server.guest("Ada")
    playing, closed = await ada.create_table("person", "random"), await ada.create_table("person", "open")
    await ada.do(playing, "ready", nonce=NONCE)
    await ada.do(closed, "abandon")
    await server.settle()
    await _pass(server, 365 * DAY)
    assert _tables_left(server) == {playing.id, closed.id}


@with_server()
async def test_lobbies_expire_in_batches(server: InProcessServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lobbies that may not be deleted yet do not hide those behind them."""
    monkeypatch.setattr(scheduler, "EXPIRY_BATCH", 2)
    kept = {(await server.two_players())[0].id for _ in range(3)}
    ada = await server.guest("Ada")
    for _ in range(3):
        await ada.create_table("person", "open")
    server.clock.advance(2 * DAY)
    for _ in range(5):
        await server.sweep()
    assert _tables_left(server) == kept


@with_server()
async def test_a_request_during_the_deletion(server: InProcessServer) -> None:
    """It waits until the table is gone, and gets the same answer."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    await server.restart()
    registry = server.services.registry
    with blocked_writer(server.store):
        deleting = asyncio.create_task(registry.expire(table.id))
        await until(lambda: registry.waiting == 1)
        asking = asyncio.create_task(ada.request("GET", f"/api/tables/{table}"))
        await until(lambda: len(registry._running) > 0)
    assert await deleting and (await asking).status_code == 410


@with_server()
async def test_a_table_that_expires_while_rights_are_read(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its owner learns that it has expired, not that there is no such table."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    await server.restart()
    store, loop, registry = server.store, asyncio.get_running_loop(), server.services.registry
    read = store.holdings

    def expire_and_read(game: str) -> list[HoldingRow]:
        monkeypatch.setattr(store, "holdings", read)
        assert asyncio.run_coroutine_threadsafe(registry.expire(game), loop).result(60)
        return read(game)

    monkeypatch.setattr(store, "holdings", expire_and_read)
    answer = await ada.request("GET", f"/api/tables/{table}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (410, "server.table_expired")


@with_server(tables_per_guest=1_000_000)
async def test_an_address_can_store_only_so_much_in_a_day(server: InProcessServer) -> None:
    """New tables and guests are refused beyond the quota; running games and other addresses are not."""
    quota = server.services.limits.storage = StorageQuota(20_000, lambda: server.clock.now)
    server.services.registry._on_stored = quota.add
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    for _ in range(20):
        answer = await ada.request("POST", "/api/tables", {"chairs": [{"sitter": "open"}] * 2})
        if answer.status_code != 201:
            break
    error = answer.json()["error"]
    assert (answer.status_code, error["code"]) == (429, "server.daily_quota") and "24 hours" in error[
        "sentence"
    ]
    assert answer.headers["retry-after"] == str(int(DAY))
    assert (await server.client().request("POST", "/api/guests", {"name": "Bob"})).status_code == 429
    await ada.do(table, "ready", nonce=NONCE)
    await server.client(peer="192.0.2.7").as_guest("Bob")
    server.clock.advance(DAY)
    await ada.create_table("person", "open")


def test_commands_have_a_second_quota() -> None:
    """Commands and reviews are refused at twice the quota, reading never; a /64 of IPv6 is one address."""
    quota = StorageQuota(1000, lambda: 0.0)
    token = current_address.set("2001:db8::1")
    try:
        quota.add(1999)
        quota.check(Limit.COMMAND, "2001:db8::2")
        for limit in (Limit.CREATE, Limit.GUEST, Limit.JOIN):
            with pytest.raises(RateLimited):
                quota.check(limit, "2001:db8::2")
        quota.add(1)
        for limit in (Limit.COMMAND, Limit.IMPORT):
            with pytest.raises(RateLimited):
                quota.check(limit, "2001:db8::2")
        quota.check(Limit.READ, "2001:db8::2")
        quota.check(Limit.CREATE, "2001:db8:0:1::2")
    finally:
        current_address.reset(token)


@with_server(tables_per_guest=1_000_000, seats_per_guest=1_000_000)
async def test_the_quota_counts_no_less_than_is_stored(server: InProcessServer) -> None:
    """The bytes that are counted bound the growth of the data file."""
    counted: list[int] = []
    server.services.registry._on_stored = counted.append
    ada = await server.guest("Ada")
    for _ in range(100):
        table = await ada.create_table("person", "open", "open", "open")
        await ada.do(table, "ready", nonce=NONCE)
    pages, size = (query(server.path, f"PRAGMA {name}")[0][0] for name in ("page_count", "page_size"))
    grown = pages * size - len(empty_data_file())
    assert sum(counted) / 2 < grown < sum(counted)


@with_server()
async def test_a_table_that_was_pruned_while_it_was_loaded(server: InProcessServer) -> None:
    """No command is acknowledged any more; the next sweep disconnects everyone, and others learn why."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    socket = await ada.connect(table)
    await socket.receive()
    await server.services.scheduler.sweep()
    beside = Store.open_beside(server.path)
    assert beside is not None
    with beside:
        beside.write_steps([[ExpireGame(table.id, server.clock.now)]])
    await socket.send_command("ready", 0, "late", nonce=NONCE)
    assert (await socket.receive())["error"]["code"] == "server.unknown_table"
    await server.services.scheduler.sweep()
    assert server.services.registry.find_loaded(table.id) is None
    assert await socket.close_code() == SEAT_LOST
    assert (await ada.request("GET", f"/api/tables/{table}")).status_code == 410
    await ada.create_table("person", "open")
