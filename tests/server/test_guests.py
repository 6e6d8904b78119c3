"""Guests: when a guest was last active."""

from sanssouci.server.auth.principal import SEEN_INTERVAL

from ..harness.server import InProcessServer, with_server


def _last_seen(server: InProcessServer) -> dict[str, float]:
    """When each guest was last seen, by name, after pending writes."""
    server.store.write().result()
    return {row[1]: row[3] for row in server.rows()["guest"]}


@with_server()
async def test_last_seen_is_updated_once_a_day(server: InProcessServer) -> None:
    """Any request updates the time last seen, at most once per interval and only for its guest."""
    ada, bob = await server.guest("Ada"), await server.guest("Bob")
    table = await ada.create_table("person", "open", visibility="open")
    created = server.clock.now
    server.clock.advance(SEEN_INTERVAL - 1)
    await ada.get("/api/me")
    assert _last_seen(server) == {"Ada": created, "Bob": created}
    server.clock.advance(1)
    await ada.view(table)
    await server.client().view(table)
    assert _last_seen(server) == {"Ada": server.clock.now, "Bob": created}
    assert (await bob.request("GET", "/api/tables/0123456789abcdef")).status_code == 404
    assert _last_seen(server)["Bob"] == server.clock.now


@with_server()
async def test_a_failed_last_seen_update_is_ignored(server: InProcessServer) -> None:
    """If the time last seen cannot be stored the request still succeeds, and a later request stores it."""
    ada = await server.guest("Ada")
    server.clock.advance(SEEN_INTERVAL)
    with server.store.broken():
        assert (await ada.get("/api/me")) == {"name": "Ada"}
    await ada.get("/api/me")
    assert _last_seen(server)["Ada"] == server.clock.now
