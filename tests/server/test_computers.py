"""Computer players and hints: asked with a view and nothing else, and nobody waits for one for ever."""

import pytest

from sanssouci.locale import UserError
from sanssouci.rules import View
from sanssouci.server.tables import scheduler

from ..workers.pools import until
from .house import NONCE, House, Opened, Person, first_turn, housed


async def _playing(house: House, computer: str = "random", **terms: object) -> tuple[Person, Opened]:
    """A person is to play against a computer."""
    ada = await house.guest("Ada")
    table = await ada.open("person", computer, first=0, **terms)
    await house.play_out(table, {0: ada}, turns=2)
    return ada, table


@housed()
async def test_computers_among_themselves_play_at_once(house: House) -> None:
    """A table without people needs nobody to begin and nobody to look."""
    ada = await house.guest("Ada")
    house.players.let.clear()
    table = await ada.open("random", "random", "random")
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None and live_table.bot_task is not None
    house.players.let.set()
    await house.quiet()
    assert (await ada.view(table))["stage"] == "over"


@housed()
async def test_a_computer_goes_on_after_a_restart(house: House) -> None:
    """The server stopped while it was thinking: it is asked again at once, and plays."""
    ada, table = await _playing(house)
    house.players.let.clear()
    view = await ada.view(table)
    await ada.do(table, "play", turn=first_turn(view["options"]))
    await until(lambda: len(house.players.asked) == 2)
    question = house.players.asked[-1]
    house.players.asked.clear()
    await house.restart()
    await until(lambda: house.players.asked)
    assert house.players.asked == [question]
    house.players.let.set()
    await house.quiet()
    assert (await ada.view(table))["seq"] == view["seq"] + 2


@housed()
async def test_a_computer_sees_a_view_and_has_a_key_of_its_own(house: House) -> None:
    """What it is asked with is what its seat may see, and its key is not the seed; no two keys are equal."""
    ada, table = await _playing(house)
    await house.play_out(table, {0: ada}, turns=4)
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None
    states = live_table.table.state.states
    turns = [view for _, view in house.players.asked if isinstance(view, View)]
    assert turns == [state.view(1) for state in states[1::2]][: len(turns)]
    assert len(turns) == 4
    assert len(set(house.players.keys)) == len(house.players.keys)
    assert not {*house.players.keys} & {*house.world.seeds}


@pytest.mark.parametrize("fault", [UserError("workers.no_worker"), RuntimeError("the hand is 36 and a")])
@housed()
async def test_an_errand_that_fails_is_sent_again(house: House, fault: Exception) -> None:
    """Whatever goes wrong with the asking: the table stands as it was, and the next sweep asks again."""
    ada, table = await _playing(house)
    house.players.fault = fault
    view = await ada.view(table)
    await ada.do(table, "play", turn=first_turn(view["options"]))
    await house.attend()
    assert (await ada.view(table))["waiting"] == [1]
    house.players.fault = None
    await house.attend()
    assert (await ada.view(table))["waiting"] == [0]


@housed()
async def test_a_turn_that_cannot_be_kept_is_kept_later(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The computer is asked once; what it said waits for the disk."""
    monkeypatch.setattr(scheduler, "RETRY_DELAY", 0.01)
    ada, table = await _playing(house)
    view = await ada.view(table)
    house.players.let.clear()
    await ada.do(table, "play", turn=first_turn(view["options"]))
    asked = len(house.players.asked)
    with house.store.broken():
        house.players.let.set()
        live_table = house.services.registry.find_loaded(table.id)
        assert live_table is not None
        await until(lambda: not house.services.registry._running)
        assert (await ada.view(table))["seq"] == view["seq"] + 1
    await house.quiet()
    assert (await ada.view(table))["waiting"] == [0]
    assert len(house.players.asked) == max(asked, 2)


@housed()
async def test_a_turn_is_taken_back_while_the_computer_thinks(house: House) -> None:
    """Its answer is not waited for and not played; the next question is the one that counts."""
    ada, table = await _playing(house)
    house.players.let.clear()
    view = await ada.view(table)
    await ada.do(table, "play", turn=first_turn(view["options"]))
    await until(lambda: len(house.players.asked) == 2)
    await ada.do(table, "take_back")
    back = await ada.view(table)
    assert (back["waiting"], back["taken_back"]) == ([0], 1)
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None and live_table.bot_task is None
    turns = [turn for turn in _all_turns(back) if turn != first_turn(view["options"])]
    await ada.do(table, "play", turn=turns[0])
    await until(lambda: len(house.players.asked) == 3)
    house.players.let.set()
    await house.quiet()
    after = await ada.view(table)
    assert (after["seq"], after["waiting"]) == (back["seq"] + 2, [0])


def _all_turns(view: dict[str, object]) -> list[str]:
    options = view["options"]
    assert isinstance(options, dict)
    found = []
    for card, spaces in options["cards"].items():
        for space in spaces:
            for tile in options["spaces"][str(space)]:
                stops = options["stops"].get(tile) or {}
                found.append(f"{card}@{space}-{tile}" + (f"/{next(iter(stops))}" if stops else ""))
    return found


@housed()
async def test_what_does_not_concern_it_does_not_disturb_a_computer(house: House) -> None:
    """Somebody steps away while it thinks: it is not asked again, and its answer counts."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", "random", first=1, visibility="open")
    await bob.join(table)
    await house.play_out(table, {0: ada, 1: bob}, turns=4)
    view = await bob.view(table)
    house.players.let.clear()
    await bob.do(table, "play", turn=first_turn(view["options"]))
    await until(lambda: len(house.players.asked) == 2)
    await bob.do(table, "step_away")
    house.players.let.set()
    await house.quiet()
    assert (await ada.view(table))["seq"] == view["seq"] + 3
    assert len(house.players.asked) == 2


@housed(players=("random", "greedy"))
async def test_a_player_that_is_no_longer_allowed_is_replaced(house: House) -> None:
    """The table is older than the host's last word: another player plays, and nothing stands still."""
    ada, table = await _playing(house, "greedy")
    await house.close()
    object.__setattr__(house.settings, "players", ("random",))
    house.players.allowed = frozenset({"random"})
    await house.open()
    house.players.asked.clear()
    view = await ada.view(table)
    await ada.do(table, "play", turn=first_turn(view["options"]))
    await house.quiet()
    assert (await ada.view(table))["waiting"] == [0]
    assert [player for player, _ in house.players.asked] == ["random"]


@housed(players=("greedy", "random"))
async def test_a_stand_in_that_is_no_longer_allowed_is_replaced(house: House) -> None:
    """The same for the one that the terms of a table name."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", visibility="open", first=0)
    await bob.join(table)
    await house.play_out(table, {0: ada, 1: bob}, turns=2)
    await house.close()
    object.__setattr__(house.settings, "players", ("random",))
    house.players.allowed = frozenset({"random"})
    await house.open()
    house.players.asked.clear()
    await ada.do(table, "step_away")
    await house.quiet()
    assert (await bob.view(table))["waiting"] == [1]
    assert [player for player, _ in house.players.asked] == ["random"]


@housed(players=("random",))
async def test_only_players_that_the_host_allows_can_be_chosen(house: House) -> None:
    """Neither when a table is set up nor later, whatever is installed; a command line is no name at all."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    watcher = house.nobody().key(table.watch)
    for name in ("greedy", "nobody", 'cmd:"true"', "random "):
        body = {"chairs": [{"sitter": "person"}, {"sitter": "computer", "player": name}]}
        assert (await ada.ask("POST", "/api/tables", body)).json()["error"][
            "code"
        ] == "server.player_not_allowed"
        answer = await ada.give(table, "appoint", chair=1, player=name)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "server.player_not_allowed")
        answer = await watcher.give(table, "appoint", chair=1, player=name)
        assert answer.status_code == 403, "whoever may not is not told whether it could be"
    assert (await ada.view(table))["seq"] == 0


@housed(worker_queue=3)
async def test_computers_with_too_much_to_do_take_no_new_tables(house: House) -> None:
    """Who asks for one more is told to come later; people need no computer."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "open")
    house.players.socket_limits = 3
    body = {"chairs": [{"sitter": "person"}, {"sitter": "computer", "player": "random"}]}
    answer = await ada.ask("POST", "/api/tables", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "server.players_busy")
    assert answer.headers["retry-after"] == "2"
    assert (await ada.give(table, "appoint", chair=1, player="random")).status_code == 503
    await ada.open("person", "open")
    house.players.socket_limits = 2
    await ada.do(table, "appoint", chair=1, player="random")


async def _hint(person: Person, table: Opened, chair: int | None = None) -> tuple[int, str]:
    answer = await person.ask("POST", f"/api/tables/{table}/hint", {"chair": chair})
    found = answer.json()
    return answer.status_code, found["turn"] if "turn" in found else found["error"]["code"]


@housed()
async def test_a_hint_is_for_the_seat_to_move_and_sees_what_it_sees(house: House) -> None:
    """The search gets the view of that seat; all others are told that they are not awaited."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", first=0, visibility="open")
    await bob.join(table)
    assert await _hint(ada, table) == (422, "declined.not_awaited")
    await house.play_out(table, {0: ada, 1: bob}, turns=4)
    status, turn = await _hint(ada, table)
    assert status == 200
    live_table = house.services.registry.find_loaded(table.id)
    assert live_table is not None and live_table.table.state.game is not None
    assert house.players.hinted == [live_table.table.state.game.view(0)]
    assert await _hint(bob, table) == (422, "declined.not_awaited")
    assert await _hint(bob, table, 0) == (403, "declined.not_allowed")
    assert await _hint(await house.guest("Cid"), table) == (403, "declined.not_allowed")
    await ada.do(table, "play", turn=turn)
    assert await _hint(ada, table) == (422, "declined.not_awaited")
    await ada.do(table, "concede")
    assert await _hint(bob, table) == (422, "declined.not_awaited")
    assert len(house.players.hinted) == 1


def _ids(house: House) -> dict[str, str]:
    """The guests as the store knows them."""
    return {row[1]: row[0] for row in house.rows()["guest"]}


@housed()
async def test_jobs_are_the_owners_and_hints_the_holders(house: House) -> None:
    """Computer players work in turn for whoever owns a table, also when it was read again, and a rematch."""
    ada, bob = await house.guest("Ada"), await house.guest("Bob")
    table = await ada.open("person", "open", "random", visibility="open", first=0)
    await bob.join(table)
    await house.play_out(table, {0: ada, 1: bob}, turns=6)
    await house.restart()
    await house.play_out(table, {0: ada, 1: bob}, turns=2)
    assert {*house.players.owners} == {_ids(house)["Ada"]} and len(house.players.owners) > 2
    house.players.owners.clear()
    await _hint(ada, table)
    await ada.do(table, "play", turn=first_turn((await ada.view(table))["options"]))
    await _hint(bob, table)
    assert house.players.owners == [_ids(house)["Ada"], _ids(house)["Bob"]]
    for person in (ada, bob):
        await person.do(table, "abandon")
    await bob.do(table, "rematch")
    new = (await bob.view(table))["rematch"]
    house.players.owners.clear()
    await house.play_out(new, {0: ada, 1: bob}, turns=4)
    assert {*house.players.owners} == {_ids(house)["Ada"]}


@housed()
async def test_a_seat_link_is_no_second_hint(house: House) -> None:
    """Whoever asks from a chair asks for its holder; a chair that nobody holds counts for itself."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random", first=0)
    await house.play_out(table, {0: ada}, turns=2)
    house.players.owners.clear()
    await _hint(house.nobody().key(table.seats[0]), table)
    await _hint((await house.guest("Bob")).key(table.seats[0]), table)
    assert house.players.owners == [_ids(house)["Ada"]] * 2


@housed()
async def test_there_are_no_hints_where_they_are_not_agreed(house: House) -> None:
    """The table was set up without; nothing is searched."""
    ada, table = await _playing(house, hints=False)
    assert await _hint(ada, table) == (403, "server.no_hints")
    assert house.players.hinted == []


@pytest.mark.parametrize(
    ("key", "status"),
    [
        ("workers.busy", 503),
        ("workers.closed", 503),
        ("workers.hint_waits", 503),
        ("workers.no_hint", 503),
    ],
)
@housed()
async def test_a_hint_that_cannot_be_had_is_told(house: House, key: str, status: int) -> None:
    """Too many are wanted, the server is stopping, none was found: each in its own words."""
    ada, table = await _playing(house)
    house.players.fault = UserError(key)
    answer = await ada.ask("POST", f"/api/tables/{table}/hint", {})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, key)
    assert answer.headers["retry-after"] == "2"


@housed()
async def test_a_start_with_computers_needs_one_nonce(house: House) -> None:
    """The only person is ready, the computers pick, and the person is awaited."""
    ada = await house.guest("Ada")
    table = await ada.open("person", "random", "random", edition="imperial", expansions=["rewards"])
    await ada.do(table, "ready", nonce=NONCE)
    await house.quiet()
    view = await ada.view(table)
    assert (view["stage"], view["waiting"]) == ("picking", [0])


@housed(players=("level:1", "level:2"))
async def test_no_two_computer_players_have_the_same_name(house: House) -> None:
    """Who comes for a second time is counted, unless somebody has named them."""
    ada = await house.guest()
    named = {"sitter": "computer", "player": "level:1", "name": "Otto"}
    chairs = [{"sitter": "person"}, *({"sitter": "computer", "player": "level:1"} for _ in range(2)), named]
    made = (await ada.ask("POST", "/api/tables", {"chairs": chairs})).json()
    first, second, third = [chair["name"] for chair in (await ada.view(made["table"]))["chairs"]][1:]
    assert second == f"{first} II" and third == "Otto"
