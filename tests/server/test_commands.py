"""Commands, by HTTP and by socket: done once, kept before they are told, one at a time."""

import asyncio

import pytest

from ..store.builders import held_up
from ..workers.pools import until
from .house import NONCE, House, Opened, Person, first_turn, housed
from .line import Line


async def _alone(house: House) -> tuple[Person, Opened]:
    """A person who is to play against a computer."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random", first=0)
    await house.play_out(table, {0: ada}, turns=2)
    return ada, table


async def _two(house: House) -> tuple[Person, Person, Opened]:
    """Two people, of whom the first is to play."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open", first=0)
    await bob.join(table)
    await house.play_out(table, {0: ada, 1: bob}, turns=4)
    return ada, bob, table


@housed()
async def test_done_comes_before_the_update(house: House) -> None:
    """Who gave the command hears first that it is done, then what came of it; the others hear the latter."""
    ada, bob, table = await _two(house)
    mine, others = await ada.sit(table), await bob.sit(table)
    view, before = (await mine.next())["view"], await others.next()
    await mine.command("play", view["seq"], "a-turn", turn=first_turn(view["options"]))
    done, update, heard = await mine.next(), await mine.next(), await others.next()
    assert done == {"type": "done", "seq": view["seq"] + 1, "repeated": False, "command_id": "a-turn"}
    assert update["type"] == heard["type"] == "update"
    assert update["seq"] == heard["seq"] == done["seq"] == before["seq"] + 1
    assert [event["seq"] for event in heard["events"]] == [heard["seq"]]
    assert "draw" in update["events"][0] and "draw" not in heard["events"][0], "one's own card is one's own"


@housed()
async def test_a_repeat_is_answered_and_not_carried_out_again(house: House) -> None:
    """By socket and by HTTP alike, whoever comes second; the same id for something else is refused."""
    ada, table = await _alone(house)
    line = await ada.sit(table)
    view = (await line.next())["view"]
    turn = first_turn(view["options"])
    first = await ada.do(table, "play", command_id="once", seq=view["seq"], turn=turn)
    assert first == {"command_id": "once", "seq": view["seq"] + 1, "repeated": False}
    await house.quiet()
    rows = house.rows()
    again = await ada.do(table, "play", command_id="once", seq=view["seq"], turn=turn)
    assert again == {**first, "repeated": True}
    await line.command("play", view["seq"], "once", turn=turn)
    assert (await line.until("done"))["repeated"] is True
    other = await ada.give(table, "take_back", command_id="once")
    assert (other.status_code, other.json()["error"]["code"]) == (409, "declined.command_reused")
    assert house.rows() == rows


@housed()
async def test_a_stale_command_is_refused_with_the_view_as_it_is(house: House) -> None:
    """On a socket the refusal is followed by the view; the events since were told when they happened."""
    ada, bob, table = await _two(house)
    line = await ada.sit(table)
    seq = (await line.next())["seq"]
    await bob.do(table, "step_away")
    assert [event["type"] for event in (await line.next())["events"]] == ["step_away"]
    await line.command("concede", seq, "late")
    refused, update = await line.next(), await line.next()
    assert (refused["type"], refused["error"]["code"], refused["command_id"]) == (
        "refused",
        "declined.stale",
        "late",
    )
    assert refused["retry_after"] is None
    assert (update["seq"], update["events"], update["view"]["stage"]) == (seq + 1, [], "playing")
    by_http = await ada.give(table, "concede", seq=seq)
    assert (by_http.status_code, by_http.json()["error"]["code"]) == (409, "declined.stale")


@housed()
async def test_a_no_of_the_rules_names_its_rule(house: House) -> None:
    """A turn that is not legal is refused with the rule and a sentence in the reader's language."""
    ada, table = await _alone(house)
    view = await ada.view(table)
    turn = first_turn(view["options"]).split("/")[0] + "/a6"
    german = Person(house, {**ada.headers, "accept-language": "de-AT,de;q=0.9"})
    answers = [await person.give(table, "play", turn=turn) for person in (ada, german)]
    errors = [answer.json()["error"] for answer in answers]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert errors[0]["code"] == errors[1]["code"] and errors[0]["code"].startswith("refusal.")
    assert errors[0]["rule"] == "R20"
    assert errors[0]["sentence"] != errors[1]["sentence"]
    line = await ada.sit(table)
    await line.next()
    await line.command("play", view["seq"], turn=turn)
    assert (await line.until("refused"))["error"] == errors[0]


@pytest.mark.parametrize("clients", [2, 7])
@housed()
async def test_of_two_at_once_exactly_one_wins(house: House, clients: int) -> None:
    """The same moment, different commands: one is done, the others are stale, one event is kept."""
    ada, table = await _alone(house)
    view = await ada.view(table)
    house.players.let.clear()
    turns = [first_turn(view["options"])] * clients
    with held_up(house.store):
        asked = [
            asyncio.create_task(ada.give(table, "play", command_id=f"c{number}", seq=view["seq"], turn=turn))
            for number, turn in enumerate(turns)
        ]
        await until(lambda: house.services.registry.waiting == 1)
    answers = [await answer for answer in asked]
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * (clients - 1)
    assert house.rows()["game"][0][7] == view["seq"] + 1


@housed()
async def test_the_same_command_from_two_sides_is_done_once(house: House) -> None:
    """Both are told that it is done, one of them that it was a repeat."""
    ada, table = await _alone(house)
    view = await ada.view(table)
    turn = first_turn(view["options"])
    house.players.let.clear()
    answers = await asyncio.gather(
        *(ada.do(table, "play", command_id="once", seq=view["seq"], turn=turn) for _ in range(2))
    )
    assert sorted(answer["repeated"] for answer in answers) == [False, True]
    assert {answer["seq"] for answer in answers} == {view["seq"] + 1}


async def _silent(line: Line, times: int = 200) -> bool:
    """Whether nothing comes, however often the event loop goes round."""
    for _ in range(times):
        await asyncio.sleep(0)
        if line.unread:
            return False
    return True


@housed()
async def test_nothing_is_told_before_it_is_kept(house: House) -> None:
    """While the commit is held back nobody hears of the turn: not who played it, not the others, not HTTP."""
    ada, bob, table = await _two(house)
    mine, others = await ada.sit(table), await bob.sit(table)
    view = (await mine.next())["view"]
    await others.next()
    with held_up(house.store):
        await mine.command("play", view["seq"], turn=first_turn(view["options"]))
        await until(lambda: house.services.registry.waiting == 1)
        assert await _silent(mine) and await _silent(others)
        assert (await bob.view(table))["seq"] == view["seq"]
        assert house.rows()["game"][0][7] == view["seq"]
    assert (await mine.next())["type"] == "done"
    assert (await others.next())["seq"] == view["seq"] + 1
    assert house.rows()["game"][0][7] == view["seq"] + 1


@housed()
async def test_a_command_is_brought_to_its_end_though_nobody_waits(house: House) -> None:
    """The request is cancelled, the socket hangs up, the commit is held back: it is kept and announced."""
    ada, bob, table = await _two(house)
    mine, others = await ada.sit(table), await bob.sit(table)
    view = (await mine.next())["view"]
    await others.next()
    with held_up(house.store):
        turn = first_turn(view["options"])
        request = asyncio.create_task(ada.give(table, "play", command_id="t", seq=view["seq"], turn=turn))
        await until(lambda: house.services.registry.waiting == 1)
        request.cancel()
        await asyncio.gather(request, return_exceptions=True)
    assert (await others.next())["seq"] == view["seq"] + 1
    with held_up(house.store):
        await mine.command("concede", view["seq"] + 1)
        await until(lambda: house.services.registry.waiting == 1)
        mine.drop()
    assert (await others.next())["view"]["ending"]["manner"] == "conceded"


@housed()
async def test_a_command_that_waits_is_not_carried_out_for_who_lost_the_chair(house: House) -> None:
    """Sent away while a command was waiting for its turn: it is not done, not even on another's chair."""
    ada, bob, cid = [await house.guest(name) for name in ("Ada", "Bob", "Cid")]
    table = await ada.open("person", "open", visibility="open")
    await bob.join(table, 1)
    line = await bob.sit(table, 1)
    await line.next()
    registry = house.services.registry
    live_table = registry.find_loaded(table.id)
    assert live_table is not None
    async with live_table.lock:  # all of these wait, in this order
        kick = asyncio.create_task(ada.give(table, "appoint", seq=1, chair=1, player=None))
        await until(lambda: len(live_table.lock._waiters or ()) == 1)
        sit = asyncio.create_task(cid.join(table, 1))
        await until(lambda: len(live_table.lock._waiters or ()) == 2)
        await line.command("ready", 3, nonce=NONCE)
        await until(lambda: len(live_table.lock._waiters or ()) == 3)
        ready = asyncio.create_task(bob.give(table, "ready", at=1, seq=3, nonce=NONCE))
        await until(lambda: len(live_table.lock._waiters or ()) == 4)
    assert (await kick).status_code == 200
    assert (await sit)["chair"] == 1
    assert (await ready).status_code == 403
    await line.closed()
    view = await cid.view(table)
    assert view["seq"] == 3, "sit, appoint, sit, and nothing after it"
    assert view["chairs"][1]["ready"] is False


@housed()
async def test_whoever_sits_down_does_not_meet_the_ids_of_who_sat_there(house: House) -> None:
    """Programs that count their commands from 1 may follow each other on a chair: each is heard."""
    ada, bob, eve = [await house.guest(name) for name in ("Ada", "Bob", "Eve")]
    table = await ada.open("person", "open")
    for guest in (bob, eve):
        keyed = guest.key(table.join)
        await keyed.join(table)
        done = await keyed.do(table, "ready", command_id="1", nonce=NONCE)
        assert done["repeated"] is False
        if guest is bob:
            await keyed.do(table, "rise", command_id="2")


@housed()
async def test_a_repeat_is_known_whatever_one_shows_for_the_chair(house: House) -> None:
    """The guest's token or the secret of the seat link, by HTTP or by socket: the id is the chair's."""
    ada, table = await _alone(house)
    by_link = house.nobody().key(table.seats[0])
    view = await ada.view(table)
    turn = first_turn(view["options"])
    first = await ada.do(table, "play", command_id="once", seq=view["seq"], turn=turn)
    await house.quiet()
    assert await by_link.do(table, "play", command_id="once", seq=view["seq"], turn=turn) == {
        **first,
        "repeated": True,
    }
    line = await by_link.sit(table)
    await line.next()
    await line.command("play", view["seq"], "once", turn=turn)
    assert await line.next() == {"type": "done", "seq": first["seq"], "repeated": True, "command_id": "once"}


@housed()
async def test_whoever_claims_a_chair_learns_of_old_ids_only_that_they_were_used(house: House) -> None:
    """The same command is answered by its event's number; another is refused without a word of the first."""
    ada, eve = await house.guest("Ada"), await house.guest("Eve")
    table = await ada.open("person", "open")
    done = await ada.do(table, "ready", command_id="1", nonce=NONCE)
    claimant = eve.key(table.seats[0])
    assert (await claimant.ask("POST", f"/api/tables/{table}/seats/0/claim")).status_code == 200
    again = await eve.give(table, "ready", command_id="1", seq=0, nonce=NONCE)
    assert again.json() == {**done, "repeated": True}
    other = await eve.give(table, "ready", command_id="1", seq=0, nonce="11" * 8)
    assert (other.status_code, other.json()["error"]["code"]) == (409, "declined.command_reused")
    assert "00" * 8 not in other.text


@housed()
async def test_who_holds_several_chairs_has_to_name_one(house: House) -> None:
    """By HTTP, on a socket whose ticket named none, for a hint; whoever only watches is not asked to."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "person")
    seen = (422, "declined.name_chair")
    answers = [
        await ada.give(table, "ready", nonce=NONCE),
        await ada.ask("POST", f"/api/tables/{table}/hint", {}),
    ]
    assert [(answer.status_code, answer.json()["error"]["code"]) for answer in answers] == [seen, seen]
    for watch, code in ((False, "declined.name_chair"), (True, "declined.not_allowed")):
        line = await ada.sit(table, watch=watch)
        await line.next()
        await line.command("ready", 0, nonce=NONCE)
        assert (await line.next())["error"]["code"] == code
    await ada.do(table, "ready", at=0, nonce=NONCE)
    await ada.do(table, "appoint", chair=1, player="random")


@housed()
async def test_an_event_that_is_not_there_yet_cannot_have_been_seen(house: House) -> None:
    """That is another no than a table that has moved on; the view follows all the same."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    line = await ada.sit(table)
    await line.next()
    await line.command("ready", 5, nonce=NONCE)
    refused, update = await line.next(), await line.next()
    assert refused["error"]["code"] == "declined.ahead"
    assert "moved on" not in refused["error"]["sentence"]
    assert (update["type"], update["seq"], update["events"]) == ("update", 0, [])
    by_http = await ada.give(table, "ready", seq=5, nonce=NONCE)
    assert (by_http.status_code, by_http.json()["error"]["code"]) == (409, "declined.ahead")
