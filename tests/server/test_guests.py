"""Guests: when somebody was last here, which tells who stays away."""

from sanssouci.server.auth.principal import SEEN_INTERVAL

from .house import House, housed


def _seen(house: House) -> dict[str, float]:
    """When each guest was last seen, by name; whatever is being written is waited for."""
    house.store.write().result()
    return {row[1]: row[3] for row in house.rows()["guest"]}


@housed()
async def test_a_guest_is_seen_once_a_day(house: House) -> None:
    """By whatever is asked for; not more often, and nobody else is."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open")
    came = house.world.now
    house.world.advance(SEEN_INTERVAL - 1)
    await ada.get("/api/me")
    assert _seen(house) == {"Ada": came, "Bob": came}
    house.world.advance(1)
    await ada.view(table)
    await house.nobody().view(table)
    assert _seen(house) == {"Ada": house.world.now, "Bob": came}
    assert (await bob.ask("GET", "/api/tables/0123456789abcdef")).status_code == 404
    assert _seen(house)["Bob"] == house.world.now


@housed()
async def test_nobody_is_refused_because_a_visit_cannot_be_kept(house: House) -> None:
    """The disk is full: what only reads is answered, and the visit is kept another time."""
    ada = await house.guest("Ada")
    house.world.advance(SEEN_INTERVAL)
    with house.store.broken():
        assert (await ada.get("/api/me")) == {"name": "Ada"}
    await ada.get("/api/me")
    assert _seen(house)["Ada"] == house.world.now
