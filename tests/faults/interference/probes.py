"""Questions of people who want to know more than they may: all kinds of requests, most of them refused."""

import json
from collections.abc import Awaitable, Callable

from sanssouci.notation import write_card
from sanssouci.rules import NO_CARDS, Cards, members
from sanssouci.table import Stage

from .cast import Json, Side, Viewer
from .plan import LINK, WATCHER
from .twins import Twins

Probe = Callable[[Twins, Viewer], Awaitable[object]]

_PATHS = ("", "/events", "/record", "/boards", "/nothing")
_GARBLED = (
    b"",
    b"{",
    b"[]",
    b'{"chair": "x"}',
    b'{"command_id": "c1", "command": {"type": "peek"}}',
    b"\xff",
)
_HELLOS = ("", "{}", '{"type": "hello"}', '{"type": "hello", "ticket": "x", "seq": 0}', "\x00")
_WORDS = ("take_back", "step_away", "return", "rematch", "unready", "rise", "concede", "abandon")


async def probe(twins: Twins, viewer: Viewer) -> None:
    """One question."""
    await twins.lot.one(_PROBES)(twins, viewer)


async def dial(twins: Twins, viewer: Viewer) -> None:
    """Ask for a ticket and open a socket with it; who gets none tries all the same."""
    lot = twins.lot
    wish = lot.one(({}, {"watch": True}, {"chair": viewer.chair}))
    answers = await twins.ask(viewer, "POST", f"/api/tables/{twins.table}/tickets", wish)
    for side, answer in zip(viewer.sides, answers, strict=True):
        side.ticket = str(answer.get("ticket", "x"))
    seq, language = lot.below(twins.seq + 3) - 1, lot.one(("en", "de", "fr", "es"))

    def hello(side: Side) -> Json:
        return {"type": "hello", "ticket": side.ticket, "seq": seq, "language": language}

    await twins.dial(viewer, hello)


async def give(
    twins: Twins, viewer: Viewer, command: Json, other: Json | None = None, expected: int | None = None
) -> None:
    """A command, by socket or by HTTP; in the second house it may be another."""
    order = {"command_id": twins.next_id(), "expected_seq": twins.seq if expected is None else expected}
    orders = tuple({**order, "command": said} for said in (command, command if other is None else other))
    if viewer.has_line and twins.lot.often(60):
        await twins.say(viewer, tuple({"type": "command", **said} for said in orders))
    else:
        chair = {"chair": viewer.chair} if twins.lot.often(50) else {}
        await twins.ask(
            viewer,
            "POST",
            f"/api/tables/{twins.table}/commands",
            tuple({**said, **chair} for said in orders),
        )


async def _look(twins: Twins, viewer: Viewer) -> None:
    """The table, its past, events or record, from any chair, or a table that is not there."""
    lot = twins.lot
    chair = f"chair={lot.below(5)}" if lot.often(40) else ""
    after = f"&after={lot.below(twins.seq + 4) - 1}"
    table = "0" * 16 if lot.often(5) else twins.table
    path = lot.one((*_PATHS, f"/past/{lot.below(len(twins.state.states) + 2)}"))
    await twins.ask(viewer, "GET", f"/api/tables/{table}{path}", query=chair + after)


async def _list(twins: Twins, viewer: Viewer) -> None:
    """What lists say, and the house's own figures."""
    path = twins.lot.one(("/api/tables", "/api/me/tables", "/api/me", "/metrics", "/ready", "/api/players"))
    await twins.ask(viewer, "GET", path)


async def _hint(twins: Twins, viewer: Viewer) -> None:
    """A hint, for oneself or for another."""
    wish = {} if twins.lot.often(60) else {"chair": twins.lot.below(4)}
    await twins.ask(viewer, "POST", f"/api/tables/{twins.table}/hint", wish)


async def _play(twins: Twins, viewer: Viewer) -> None:
    """A turn with a card that the seat to move does not hold, or no turn at all."""
    cards = [write_card(card) for card in members(_not_held(twins))] or ["*"]
    turn = twins.lot.one([f"{twins.lot.one(cards)}@{twins.lot.below(10)}-a2", "36@2-g3/g3/g3", "hand@0"])
    await give(twins, viewer, {"type": "play", "turn": turn})


def _not_held(twins: Twins) -> Cards:
    """Cards of the pile that the seat to move draws from, in both houses."""
    assert twins.standings is not None, "there is a table"
    states = [table_state.game for table_state in twins.standings if table_state.game is not None]
    if len(states) < 2 or twins.state.stage is not Stage.PLAYING:
        return NO_CARDS
    seat = states[0].to_move
    return states[0].variant.deck & ~(states[0].hands[seat] | states[1].hands[seat])


async def _stale(twins: Twins, viewer: Viewer) -> None:
    """What could be done, had nothing happened since."""
    commands: list[Json] = [{"type": "pick", "side": 1}, {"type": "play", "turn": "*@0-a2"}]
    command = twins.lot.one(commands)
    await give(twins, viewer, command, expected=twins.lot.below(twins.seq + 1) - 1)


async def _vote(twins: Twins, viewer: Viewer) -> None:
    """A vote against anyone."""
    await give(twins, viewer, {"type": "vote", "chair": twins.lot.below(4)})


async def _word(twins: Twins, viewer: Viewer) -> None:
    """A command without arguments, if it does not end the game or send somebody away."""
    word, table_state = twins.lot.one(_WORDS), twins.state
    lobby, sits = table_state.stage is Stage.LOBBY, viewer.chair is not None
    if word == "rise" and lobby and sits:
        return
    if word in ("concede", "abandon") and (sits or viewer is twins.viewers[0]):
        return
    await give(twins, viewer, {"type": word})


async def _again(twins: Twins, viewer: Viewer) -> None:
    """A command under an id that was there before, perhaps another's."""
    command = twins.lot.one(({"type": "pick", "side": 0}, {"type": "ready", "nonce": "00" * 8}))
    order = {"command_id": f"c{twins.lot.below(30)}", "expected_seq": twins.seq - 1, "command": command}
    await twins.ask(viewer, "POST", f"/api/tables/{twins.table}/commands", order)


async def _link(twins: Twins, viewer: Viewer) -> None:
    """A seat is claimed, or gets a new link; a chair is asked for that is taken."""
    path = twins.lot.one(
        (f"/seats/{twins.lot.below(4)}/claim", f"/seats/{twins.lot.below(4)}/link", "/seats")
    )
    body = None
    if path == "/seats":
        taken = [place for place, chair in enumerate(twins.state.chairs) if chair.name]
        body = {"chair": twins.lot.one(taken)} if taken else {"chair": "none"}
    await twins.ask(viewer, "POST", f"/api/tables/{twins.table}{path}", body)


async def _renew(twins: Twins, viewer: Viewer) -> None:
    """The join link or the watch link gets a new secret, if it is the owner who asks; it is passed on.

    Who watches by it goes before: a request and a socket that end at the same time are logged in any order.
    """
    link = twins.lot.one(("join", "watch"))
    linked = [
        other
        for other in twins.viewers[1:]
        if other.sides[0].key and (other.name in (WATCHER, LINK)) is (link == "watch")
    ]
    for other in linked:
        await twins.hang_up(other)
    answers = await twins.ask(viewer, "POST", f"/api/tables/{twins.table}/links/{link}")
    for other in linked if "token" in answers[0] else ():
        for side, answer in zip(other.sides, answers, strict=True):
            side.key = str(answer["token"])


async def _appoint(twins: Twins, viewer: Viewer) -> None:
    """A chair is given away, by anyone but the owner of a table that has not started."""
    if viewer is twins.viewers[0] and twins.state.stage is Stage.LOBBY:
        return
    command = {"type": "appoint", "chair": twins.lot.below(4), "player": twins.lot.one(("greedy", None))}
    await give(twins, viewer, command)


async def _wear(twins: Twins, viewer: Viewer) -> None:
    """A chair is to have another colour, one's own or another's."""
    colour = twins.lot.one(("red", "blue", "teal", "grey"))
    await give(twins, viewer, {"type": "wear", "chair": twins.lot.below(4), "colour": colour})


async def _garble(twins: Twins, viewer: Viewer) -> None:
    """What cannot be read, or a way that is none."""
    method, body = twins.lot.one(("POST", "PUT", "DELETE", "HEAD")), twins.lot.one(_GARBLED)
    await twins.ask(
        viewer, method, f"/api/tables/{twins.table}{twins.lot.one(('/commands', '/hint', '/tickets'))}", body
    )


async def _hello(twins: Twins, viewer: Viewer) -> None:
    """A socket with a ticket that was used before, or without any."""
    words = twins.lot.one((*_HELLOS, ""))

    def hello(side: Side) -> str:
        return words or json.dumps({"type": "hello", "ticket": side.ticket or "x"})

    await twins.dial(viewer, hello)


async def _rename(twins: Twins, viewer: Viewer) -> None:
    """Another name."""
    await twins.ask(viewer, "PATCH", "/api/me", {"name": f"{viewer.name} {twins.lot.below(9)}"})


_PROBES: tuple[Probe, ...] = (
    *(_look,) * 4,
    *(_list,) * 4,
    *(_hint,) * 2,
    *(_play,) * 2,
    dial,
    _stale,
    _vote,
    _word,
    _again,
    _link,
    _renew,
    _appoint,
    _wear,
    _garble,
    _hello,
    _rename,
)
