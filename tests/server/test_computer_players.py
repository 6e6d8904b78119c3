"""Computer players and hints: they receive only a view, and a failing player blocks nobody."""

import pytest

from sanssouci.locale import UserError
from sanssouci.rules import View
from sanssouci.server.tables import scheduler

from ..harness.builders import NONCE, legal_turn
from ..harness.client import Client, CreatedTable
from ..harness.server import InProcessServer, with_server
from ..workers.pools import until


async def _start_game(
    server: InProcessServer, computer: str = "random", **settings: object
) -> tuple[Client, CreatedTable]:
    """A person whose turn it is, against a computer."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", computer, first=0, **settings)
    await server.play_out(table, {0: ada}, commands=2)
    return ada, table


@with_server()
async def test_a_table_of_computers_plays_at_once(server: InProcessServer) -> None:
    """A table without people is played without any request."""
    ada = await server.guest("Ada")
    server.players.hold()
    table = await ada.create_table("random", "random", "random")
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None and live_table.bot_task is not None
    server.players.release()
    await server.settle()
    assert (await ada.view(table))["stage"] == "over"


@with_server()
async def test_a_computer_continues_after_a_restart(server: InProcessServer) -> None:
    """A computer that was thinking when the server stopped is asked again after the restart."""
    ada, table = await _start_game(server)
    server.players.hold()
    view = await ada.view(table)
    await ada.do(table, "play", turn=legal_turn(view["options"]))
    await until(lambda: len(server.players.asked) == 2)
    question = server.players.asked[-1]
    server.players.asked.clear()
    await server.restart()
    await until(lambda: server.players.asked)
    assert server.players.asked == [question]
    server.players.release()
    await server.settle()
    assert (await ada.view(table))["seq"] == view["seq"] + 2


@with_server()
async def test_a_computer_gets_its_view_and_a_unique_key(server: InProcessServer) -> None:
    """A computer gets the view of its seat, and a key that is unique and not the seed."""
    ada, table = await _start_game(server)
    await server.play_out(table, {0: ada}, commands=4)
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None
    states = live_table.table.state.states
    turns = [view for _, view in server.players.asked if isinstance(view, View)]
    assert turns == [state.view(1) for state in states[1::2]][: len(turns)]
    assert len(turns) == 4
    assert len(set(server.players.keys)) == len(server.players.keys)
    assert not {*server.players.keys} & {*server.secrets.seeds}


@pytest.mark.parametrize("fault", [UserError("workers.no_worker"), RuntimeError("the hand is 36 and a")])
@with_server()
async def test_a_failed_request_to_a_player_is_retried(server: InProcessServer, fault: Exception) -> None:
    """If asking a player fails the table stays as it is, and the next sweep asks again."""
    ada, table = await _start_game(server)
    server.players.error = fault
    view = await ada.view(table)
    await ada.do(table, "play", turn=legal_turn(view["options"]))
    await server.sweep()
    assert (await ada.view(table))["waiting"] == [1]
    server.players.error = None
    await server.sweep()
    assert (await ada.view(table))["waiting"] == [0]


@with_server()
async def test_storing_a_computer_turn_is_retried(
    server: InProcessServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn that cannot be stored is stored later, without asking the computer again."""
    monkeypatch.setattr(scheduler, "RETRY_DELAY", 0.01)
    ada, table = await _start_game(server)
    view = await ada.view(table)
    server.players.hold()
    await ada.do(table, "play", turn=legal_turn(view["options"]))
    asked = len(server.players.asked)
    with server.store.broken():
        server.players.release()
        live_table = server.services.registry.find_loaded(table.id)
        assert live_table is not None
        await until(lambda: not server.services.registry._running)
        assert (await ada.view(table))["seq"] == view["seq"] + 1
    await server.settle()
    assert (await ada.view(table))["waiting"] == [0]
    assert len(server.players.asked) == max(asked, 2)


@with_server()
async def test_a_turn_is_taken_back_while_the_computer_thinks(server: InProcessServer) -> None:
    """The pending answer is dropped when the turn is taken back, and the next one counts."""
    ada, table = await _start_game(server)
    server.players.hold()
    view = await ada.view(table)
    await ada.do(table, "play", turn=legal_turn(view["options"]))
    await until(lambda: len(server.players.asked) == 2)
    await ada.do(table, "take_back")
    back = await ada.view(table)
    assert (back["waiting"], back["taken_back"]) == ([0], 1)
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None and live_table.bot_task is None
    turns = [turn for turn in _all_turns(back) if turn != legal_turn(view["options"])]
    await ada.do(table, "play", turn=turns[0])
    await until(lambda: len(server.players.asked) == 3)
    server.players.release()
    await server.settle()
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


@with_server()
async def test_other_events_do_not_restart_a_computer(server: InProcessServer) -> None:
    """An event that does not change the position does not cause the computer to be asked again."""
    table, ada, bob = await server.two_players("random", first=1, visibility="open")
    await server.play_out(table, {0: ada, 1: bob}, commands=4)
    view = await bob.view(table)
    server.players.hold()
    await bob.do(table, "play", turn=legal_turn(view["options"]))
    await until(lambda: len(server.players.asked) == 2)
    await bob.do(table, "step_away")
    server.players.release()
    await server.settle()
    assert (await ada.view(table))["seq"] == view["seq"] + 3
    assert len(server.players.asked) == 2


@with_server(players=("random", "greedy"))
async def test_a_player_that_is_no_longer_allowed_is_replaced(server: InProcessServer) -> None:
    """A computer player that the host no longer allows is replaced by an allowed one."""
    ada, table = await _start_game(server, "greedy")
    await server.close()
    object.__setattr__(server.settings, "players", ("random",))
    server.players.allowed = frozenset({"random"})
    await server.open()
    server.players.asked.clear()
    view = await ada.view(table)
    await ada.do(table, "play", turn=legal_turn(view["options"]))
    await server.settle()
    assert (await ada.view(table))["waiting"] == [0]
    assert [player for player, _ in server.players.asked] == ["random"]


@with_server(players=("greedy", "random"))
async def test_a_stand_in_that_is_no_longer_allowed_is_replaced(server: InProcessServer) -> None:
    """A stand-in that the host no longer allows is replaced by an allowed one."""
    table, ada, bob = await server.two_players(visibility="open", first=0)
    await server.play_out(table, {0: ada, 1: bob}, commands=2)
    await server.close()
    object.__setattr__(server.settings, "players", ("random",))
    server.players.allowed = frozenset({"random"})
    await server.open()
    server.players.asked.clear()
    await ada.do(table, "step_away")
    await server.settle()
    assert (await bob.view(table))["waiting"] == [1]
    assert [player for player, _ in server.players.asked] == ["random"]


@with_server(players=("random",))
async def test_only_allowed_players_can_be_chosen(server: InProcessServer) -> None:
    """New tables and appointments refuse players that are not allowed, and command lines."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    watcher = server.client().with_key(table.watch)
    for name in ("greedy", "nobody", 'cmd:"true"', "random "):
        body = {"chairs": [{"sitter": "person"}, {"sitter": "computer", "player": name}]}
        assert (await ada.request("POST", "/api/tables", body)).json()["error"][
            "code"
        ] == "server.player_not_allowed"
        answer = await ada.command(table, "appoint", chair=1, player=name)
        assert (answer.status_code, answer.json()["error"]["code"]) == (422, "server.player_not_allowed")
        answer = await watcher.command(table, "appoint", chair=1, player=name)
        assert answer.status_code == 403, "permission is checked before the player"
    assert (await ada.view(table))["seq"] == 0


@with_server(worker_queue=3)
async def test_busy_computers_take_no_new_tables(server: InProcessServer) -> None:
    """With a full worker queue, tables with computers are refused as busy; those without are not."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "open")
    server.players.waiting = 3
    body = {"chairs": [{"sitter": "person"}, {"sitter": "computer", "player": "random"}]}
    answer = await ada.request("POST", "/api/tables", body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "server.players_busy")
    assert answer.headers["retry-after"] == "2"
    assert (await ada.command(table, "appoint", chair=1, player="random")).status_code == 503
    await ada.create_table("person", "open")
    server.players.waiting = 2
    await ada.do(table, "appoint", chair=1, player="random")


async def _hint(person: Client, table: CreatedTable, chair: int | None = None) -> tuple[int, str]:
    answer = await person.request("POST", f"/api/tables/{table}/hint", {"chair": chair})
    found = answer.json()
    return answer.status_code, found["turn"] if "turn" in found else found["error"]["code"]


@with_server()
async def test_a_hint_uses_the_view_of_the_seat_to_move(server: InProcessServer) -> None:
    """Only the awaited seat gets a hint, computed from its view."""
    table, ada, bob = await server.two_players(first=0, visibility="open")
    assert await _hint(ada, table) == (422, "declined.not_awaited")
    await server.play_out(table, {0: ada, 1: bob}, commands=4)
    status, turn = await _hint(ada, table)
    assert status == 200
    live_table = server.services.registry.find_loaded(table.id)
    assert live_table is not None and live_table.table.state.game is not None
    assert server.players.hint_views == [live_table.table.state.game.view(0)]
    assert await _hint(bob, table) == (422, "declined.not_awaited")
    assert await _hint(bob, table, 0) == (403, "declined.not_allowed")
    assert await _hint(await server.guest("Cid"), table) == (403, "declined.not_allowed")
    await ada.do(table, "play", turn=turn)
    assert await _hint(ada, table) == (422, "declined.not_awaited")


@pytest.mark.parametrize("first", [0, 1])
@with_server()
async def test_a_hint_calls_players_by_their_names(server: InProcessServer, first: int) -> None:
    """By seats, which are chairs in turn order."""
    table, ada, bob = await server.two_players(first=first, visibility="open")
    await server.play_out(table, {0: ada, 1: bob}, commands=4)
    asking, rival = ((ada, "Bob"), (bob, "Ada"))[first]
    answer = await asking.request("POST", f"/api/tables/{table}/hint", {})
    assert [reason["sentence"].startswith(rival) for reason in answer.json()["reasons"]] == [False, True]
    await ada.do(table, "concede")
    assert await _hint(bob, table) == (422, "declined.not_awaited")
    assert len(server.players.hint_views) == 1


def _ids(server: InProcessServer) -> dict[str, str]:
    """The ids of the guests, by name."""
    return {row[1]: row[0] for row in server.rows()["guest"]}


@with_server()
async def test_owners_of_jobs(server: InProcessServer) -> None:
    """Turns of computers count for the owner of the table, hints for the holder of the chair."""
    table, ada, bob = await server.two_players("random", visibility="open", first=0)
    await server.play_out(table, {0: ada, 1: bob}, commands=6)
    await server.restart()
    await server.play_out(table, {0: ada, 1: bob}, commands=2)
    assert {*server.players.owners} == {_ids(server)["Ada"]} and len(server.players.owners) > 2
    server.players.owners.clear()
    await _hint(ada, table)
    await ada.do(table, "play", turn=legal_turn((await ada.view(table))["options"]))
    await _hint(bob, table)
    assert server.players.owners == [_ids(server)["Ada"], _ids(server)["Bob"]]
    for person in (ada, bob):
        await person.do(table, "abandon")
    await bob.do(table, "rematch")
    new = (await bob.view(table))["rematch"]
    server.players.owners.clear()
    await server.play_out(new, {0: ada, 1: bob}, commands=4)
    assert {*server.players.owners} == {_ids(server)["Ada"]}


@with_server()
async def test_hints_by_seat_link_count_for_the_holder(server: InProcessServer) -> None:
    """A hint requested by a seat link counts for the holder of the chair."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random", first=0)
    await server.play_out(table, {0: ada}, commands=2)
    server.players.owners.clear()
    await _hint(server.client().with_key(table.seats[0]), table)
    await _hint((await server.guest("Bob")).with_key(table.seats[0]), table)
    assert server.players.owners == [_ids(server)["Ada"]] * 2


@with_server()
async def test_a_table_without_hints(server: InProcessServer) -> None:
    """A table that was created without hints refuses them."""
    ada, table = await _start_game(server, hints=False)
    assert await _hint(ada, table) == (403, "server.no_hints")
    assert server.players.hint_views == []


@pytest.mark.parametrize(
    ("key", "status"),
    [("workers.busy", 503), ("workers.closed", 503), ("workers.hint_waits", 503), ("workers.no_hint", 503)],
)
@with_server()
async def test_failed_hints(server: InProcessServer, key: str, status: int) -> None:
    """A hint that fails is a 503 with its error code and Retry-After."""
    ada, table = await _start_game(server)
    server.players.error = UserError(key)
    answer = await ada.request("POST", f"/api/tables/{table}/hint", {})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, key)
    assert answer.headers["retry-after"] == "2"


@with_server()
async def test_a_start_with_computers_needs_one_nonce(server: InProcessServer) -> None:
    """A game against computers starts when the only person is ready."""
    ada = await server.guest("Ada")
    table = await ada.create_table("person", "random", "random", edition="imperial", expansions=["rewards"])
    await ada.do(table, "ready", nonce=NONCE)
    await server.settle()
    view = await ada.view(table)
    assert (view["stage"], view["waiting"]) == ("picking", [0])


@with_server(players=("level:1", "level:2"))
async def test_computer_players_have_different_names(server: InProcessServer) -> None:
    """A second computer of the same kind gets a numbered name, unless it was named."""
    ada = await server.guest()
    named = {"sitter": "computer", "player": "level:1", "name": "Otto"}
    chairs = [{"sitter": "person"}, *({"sitter": "computer", "player": "level:1"} for _ in range(2)), named]
    made = (await ada.request("POST", "/api/tables", {"chairs": chairs})).json()
    first, second, third = [chair["name"] for chair in (await ada.view(made["table"]))["chairs"]][1:]
    assert second == f"{first} II" and third == "Otto"
