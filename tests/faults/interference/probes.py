"""Probes of curious viewers: all kinds of requests, most of them refused."""

import json
from collections.abc import Awaitable, Callable

from sanssouci.notation import write_card
from sanssouci.rules import NO_CARDS, Cards, members
from sanssouci.table import Stage

from ...harness.sockets import Json
from .paired_games import PairedGames
from .plan import LINK, WATCHER
from .viewers import Side, Viewer

Probe = Callable[[PairedGames, Viewer], Awaitable[object]]

_PATHS = ("", "/events", "/record", "/boards", "/nothing")
_MALFORMED = (
    b"",
    b"{",
    b"[]",
    b'{"chair": "x"}',
    b'{"command_id": "c1", "command": {"type": "peek"}}',
    b"\xff",
)
_HELLOS = ("", "{}", '{"type": "hello"}', '{"type": "hello", "ticket": "x", "seq": 0}', "\x00")
_COMMANDS = ("take_back", "step_away", "return", "rematch", "unready", "rise", "concede", "abandon")


async def probe(games: PairedGames, viewer: Viewer) -> None:
    """Send a random probe."""
    await games.rng.choice(_PROBES)(games, viewer)


async def open_socket(games: PairedGames, viewer: Viewer) -> None:
    """Request a ticket and open a socket with it, or with an invalid ticket."""
    rng = games.rng
    body = rng.choice(({}, {"watch": True}, {"chair": viewer.chair}))
    answers = await games.request(viewer, "POST", f"/api/tables/{games.table}/tickets", body)
    for side, answer in zip(viewer.sides, answers, strict=True):
        side.ticket = str(answer.get("ticket", "x"))
    seq, language = rng.below(games.seq + 3) - 1, rng.choice(("en", "de", "fr", "es"))

    def hello(side: Side) -> Json:
        return {"type": "hello", "ticket": side.ticket, "seq": seq, "language": language}

    await games.connect(viewer, hello)


async def send_command(
    games: PairedGames, viewer: Viewer, command: Json, other: Json | None = None, expected: int | None = None
) -> None:
    """Send a command by socket or HTTP, optionally another one to the second server."""
    message = {"command_id": games.next_id(), "expected_seq": games.seq if expected is None else expected}
    messages = tuple({**message, "command": each} for each in (command, command if other is None else other))
    if viewer.is_connected and games.rng.chance(60):
        await games.send(viewer, tuple({"type": "command", **each} for each in messages))
    else:
        chair = {"chair": viewer.chair} if games.rng.chance(50) else {}
        await games.request(
            viewer,
            "POST",
            f"/api/tables/{games.table}/commands",
            tuple({**each, **chair} for each in messages),
        )


async def _look(games: PairedGames, viewer: Viewer) -> None:
    """Request the table, a past view, events or the record, from any chair, or a nonexistent table."""
    rng = games.rng
    chair = f"chair={rng.below(5)}" if rng.chance(40) else ""
    after = f"&after={rng.below(games.seq + 4) - 1}"
    table = "0" * 16 if rng.chance(5) else games.table
    path = rng.choice((*_PATHS, f"/past/{rng.below(len(games.state.states) + 2)}"))
    await games.request(viewer, "GET", f"/api/tables/{table}{path}", query=chair + after)


async def _list(games: PairedGames, viewer: Viewer) -> None:
    """Request lists and metrics."""
    path = games.rng.choice(
        ("/api/tables", "/api/me/tables", "/api/me", "/metrics", "/ready", "/api/players")
    )
    await games.request(viewer, "GET", path)


async def _hint(games: PairedGames, viewer: Viewer) -> None:
    """Request a hint, for the own chair or another."""
    body = {} if games.rng.chance(60) else {"chair": games.rng.below(4)}
    await games.request(viewer, "POST", f"/api/tables/{games.table}/hint", body)


async def _play(games: PairedGames, viewer: Viewer) -> None:
    """Play an invalid turn, or a card that the seat to move does not hold."""
    cards = [write_card(card) for card in members(_not_held(games))] or ["*"]
    turn = games.rng.choice(
        [f"{games.rng.choice(cards)}@{games.rng.below(10)}-a2", "36@2-g3/g3/g3", "hand@0"]
    )
    await send_command(games, viewer, {"type": "play", "turn": turn})


def _not_held(games: PairedGames) -> Cards:
    """Cards that the seat to move holds at neither server."""
    assert games.states is not None, "there is a table"
    states = [table_state.game for table_state in games.states if table_state.game is not None]
    if len(states) < 2 or games.state.stage is not Stage.PLAYING:
        return NO_CARDS
    seat = states[0].to_move
    return states[0].variant.deck & ~(states[0].hands[seat] | states[1].hands[seat])


async def _stale(games: PairedGames, viewer: Viewer) -> None:
    """Send a stale command."""
    commands: list[Json] = [{"type": "pick", "side": 1}, {"type": "play", "turn": "*@0-a2"}]
    command = games.rng.choice(commands)
    await send_command(games, viewer, command, expected=games.rng.below(games.seq + 1) - 1)


async def _vote(games: PairedGames, viewer: Viewer) -> None:
    """Vote against any chair."""
    await send_command(games, viewer, {"type": "vote", "chair": games.rng.below(4)})


async def _simple_command(games: PairedGames, viewer: Viewer) -> None:
    """Send a command without arguments, unless it ends the game or removes a person."""
    kind, table_state = games.rng.choice(_COMMANDS), games.state
    lobby, sits = table_state.stage is Stage.LOBBY, viewer.chair is not None
    if kind == "rise" and lobby and sits:
        return
    if kind in ("concede", "abandon") and (sits or viewer is games.viewers[0]):
        return
    await send_command(games, viewer, {"type": kind})


async def _repeat_id(games: PairedGames, viewer: Viewer) -> None:
    """Send a command with a used id, perhaps of another viewer."""
    command = games.rng.choice(({"type": "pick", "side": 0}, {"type": "reveal", "nonce": "00" * 16}))
    message = {"command_id": f"c{games.rng.below(30)}", "expected_seq": games.seq - 1, "command": command}
    await games.request(viewer, "POST", f"/api/tables/{games.table}/commands", message)


async def _link(games: PairedGames, viewer: Viewer) -> None:
    """Claim a seat, request a new seat link, or request a taken chair."""
    path = games.rng.choice(
        (f"/seats/{games.rng.below(4)}/claim", f"/seats/{games.rng.below(4)}/link", "/seats")
    )
    body = None
    if path == "/seats":
        taken = [place for place, chair in enumerate(games.state.chairs) if chair.name]
        body = {"chair": games.rng.choice(taken)} if taken else {"chair": "none"}
    await games.request(viewer, "POST", f"/api/tables/{games.table}{path}", body)


async def _renew(games: PairedGames, viewer: Viewer) -> None:
    """Renew the join or watch link, which only the owner may, and pass it on.

    Viewers with the old link disconnect first, as the order of log lines would be random otherwise.
    """
    link = games.rng.choice(("join", "watch"))
    linked = [
        other
        for other in games.viewers[1:]
        if other.sides[0].key and (other.name in (WATCHER, LINK)) is (link == "watch")
    ]
    for other in linked:
        await games.disconnect(other)
    answers = await games.request(viewer, "POST", f"/api/tables/{games.table}/links/{link}")
    for other in linked if "token" in answers[0] else ():
        for side, answer in zip(other.sides, answers, strict=True):
            side.key = str(answer["token"])


async def _appoint(games: PairedGames, viewer: Viewer) -> None:
    """Assign a chair, unless the owner would succeed in a lobby."""
    if viewer is games.viewers[0] and games.state.stage is Stage.LOBBY:
        return
    command = {"type": "appoint", "chair": games.rng.below(4), "player": games.rng.choice(("greedy", None))}
    await send_command(games, viewer, command)


async def _wear(games: PairedGames, viewer: Viewer) -> None:
    """Choose a colour for any chair."""
    colour = games.rng.choice(("red", "blue", "teal", "grey"))
    await send_command(games, viewer, {"type": "wear", "chair": games.rng.below(4), "colour": colour})


async def _garble(games: PairedGames, viewer: Viewer) -> None:
    """Send a malformed body, or use a wrong method."""
    method, body = games.rng.choice(("POST", "PUT", "DELETE", "HEAD")), games.rng.choice(_MALFORMED)
    await games.request(
        viewer,
        method,
        f"/api/tables/{games.table}{games.rng.choice(('/commands', '/hint', '/tickets'))}",
        body,
    )


async def _hello(games: PairedGames, viewer: Viewer) -> None:
    """Open a socket with a used ticket or without one."""
    text = games.rng.choice((*_HELLOS, ""))

    def hello(side: Side) -> str:
        return text or json.dumps({"type": "hello", "ticket": side.ticket or "x"})

    await games.connect(viewer, hello)


async def _rename(games: PairedGames, viewer: Viewer) -> None:
    """Change the name."""
    await games.request(viewer, "PATCH", "/api/me", {"name": f"{viewer.name} {games.rng.below(9)}"})


_PROBES: tuple[Probe, ...] = (
    *(_look,) * 4,
    *(_list,) * 4,
    *(_hint,) * 2,
    *(_play,) * 2,
    open_socket,
    _stale,
    _vote,
    _simple_command,
    _repeat_id,
    _link,
    _renew,
    _appoint,
    _wear,
    _garble,
    _hello,
    _rename,
)
