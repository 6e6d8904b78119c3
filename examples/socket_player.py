"""A player for a Sanssouci server in Python: it plays one seat, with random legal turns. It knows no rule.

Written from docs/protocol.md. It needs two packages, and a server (`sanssouci serve`):

    pip install httpx websockets
    python examples/socket_player.py http://127.0.0.1:8017 --computer level:1
    python examples/socket_player.py http://127.0.0.1:8017 --table TABLE --join SECRET
"""

import argparse
import asyncio
import json
import secrets
import sys

import httpx
import websockets

HOPELESS = {4400, 4403}
"""Close codes after which coming back does not help: our own mistake, or the chair is lost."""
LONGEST_WAIT = 30.0


def turns(options):
    """Every legal turn: pieces of the tables put together."""
    for card, spaces in options["cards"].items():
        for space in spaces:
            for tile in options["spaces"][str(space)]:
                for boar in options["boar"].get(tile, [None]):
                    turn = f"{card}@{space}-{tile}" + (f"~{boar}" if boar else "")
                    yield turn
                    for stop in options["stops"][tile]:
                        yield f"{turn}/{stop}"


def decide(view):
    """What we do now, if anything is wanted of us."""
    may = view["you"]["may"]
    if "ready" in may:
        return {"type": "ready", "nonce": secrets.token_hex(16)}
    if "pick" in may:
        return {"type": "pick", "side": secrets.choice([0, 1])}
    if "play" in may:
        return {"type": "play", "turn": secrets.choice(list(turns(view["options"])))}
    return None


class SocketPlayer:
    """Somebody at one table."""

    def __init__(self, url, name="Random", first_wait=1.0):
        self.client = httpx.AsyncClient(base_url=url)
        self.socket_url = url.replace("http", "ws", 1) + "/api/socket"
        self.name = name
        self.first_wait = first_wait
        self.table = None
        self.view = None
        self.pending = None  # a command that was sent, and has no answer yet
        self.done = -1  # the event that our last command has become

    async def ask(self, method, path, body=None, **headers):
        """A request by HTTP; where the server says later, it is asked later."""
        while True:
            answer = await self.client.request(method, path, json=body, headers=headers)
            if answer.status_code not in (429, 503):
                break
            await asyncio.sleep(int(answer.headers["retry-after"]))
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.json()['error']['sentence']}")
        return answer.json()

    async def become_guest(self):
        """Choose a name; the token is ours from now on."""
        guest = await self.ask("POST", "/api/guests", {"name": self.name, "cookie": False})
        self.client.headers["authorization"] = f"Bearer {guest['token']}"

    async def set_up(self, *chairs, **terms):
        """A table for us and the others on these chairs; the answer has the secrets of its links."""
        made = await self.ask("POST", "/api/tables", {"chairs": [{"sitter": "person"}, *chairs], **terms})
        self.table = made["table"]
        return made

    async def join(self, table, secret):
        """An open chair at another's table."""
        await self.ask("POST", f"/api/tables/{table}/seats", {}, **{"x-sanssouci-key": secret})
        self.table = table

    async def play(self):
        """Play until the game is over, and come back whenever the connection is lost; the last view."""
        wait = self.first_wait
        while not self.is_over:
            try:
                ticket = await self.ask("POST", f"/api/tables/{self.table}/tickets", {})
                async with websockets.connect(self.socket_url, compression=None, max_size=None) as socket:
                    await self.converse(socket, ticket["ticket"])
                wait = self.first_wait
            except websockets.ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code in HOPELESS:
                    raise
            except (OSError, httpx.TransportError, websockets.InvalidHandshake):
                pass  # the server is not there just now
            if not self.is_over:
                await asyncio.sleep(wait * (0.75 + secrets.randbelow(50) / 100))
                wait = min(2 * wait, LONGEST_WAIT)
        return self.view

    @property
    def is_over(self):
        return self.view is not None and self.view["stage"] == "over"

    async def converse(self, socket, ticket):
        """Hear and speak on one socket, until the game is over."""
        hello = {"type": "hello", "ticket": ticket}
        if self.view is not None:
            hello["seq"] = self.view["seq"]
        await socket.send(json.dumps(hello))
        self.take(json.loads(await socket.recv()))
        if self.pending is not None:  # was it carried out? Say it again: it is not done twice
            await socket.send(json.dumps(self.pending))
        while not self.is_over:
            await self.act(socket)
            message = json.loads(await socket.recv())
            if message["type"] == "refused":
                await self.refused(socket, message)
            else:
                self.take(message)

    def take(self, message):
        """Take note of an update, or of an answer to our command."""
        if message["type"] == "update":
            self.view = message["view"]
        elif message["type"] == "done":
            self.pending, self.done = None, message["seq"]

    async def act(self, socket):
        """Give a command if one is wanted: one at a time, and only on a view that knows our last one."""
        if self.pending is not None or self.view["seq"] < self.done:
            return
        command = decide(self.view)
        if command is not None:
            self.pending = {
                "type": "command",
                "command_id": secrets.token_hex(16),
                "expected_seq": self.view["seq"],
                "command": command,
            }
            await socket.send(json.dumps(self.pending))

    async def refused(self, socket, message):
        """A stale command is thought over; one that may succeed later is said again later."""
        if message["error"]["code"] == "declined.stale":
            self.pending = None
            self.take(json.loads(await socket.recv()))  # the view as it is now
        elif message["retry_after"] is not None:
            await asyncio.sleep(message["retry_after"])
            await socket.send(json.dumps(self.pending))
        else:
            raise RuntimeError(message["error"]["sentence"])


async def main(arguments):
    """Find a table, play, and tell how it ended."""
    player = SocketPlayer(arguments.url.rstrip("/"), arguments.name)
    await player.become_guest()
    if arguments.table:
        await player.join(arguments.table, arguments.join)
    else:
        await player.set_up({"sitter": "computer", "player": arguments.computer})
    view = await player.play()
    names = [chair["name"] for chair in sorted(view["chairs"], key=lambda chair: chair["seat"] or 0)]
    for seat, name in enumerate(names):
        won = " has won" if seat in view["ending"]["winners"] else ""
        print(f"{name}: {view['game']['scores'][seat]['total'] if view['game'] else '-'}{won}")
    await player.client.aclose()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Plays on a Sanssouci server, with random legal turns.")
    parser.add_argument("url", help="where the server is, like http://127.0.0.1:8017")
    parser.add_argument("--name", default="Random")
    parser.add_argument("--computer", default="level:1", help="a computer player to play against")
    parser.add_argument("--table", help="join this table instead")
    parser.add_argument("--join", default="", help="with the secret of its join link, unless it is open")
    try:
        asyncio.run(main(parser.parse_args()))
    except (RuntimeError, httpx.HTTPError, websockets.ConnectionClosed) as problem:
        sys.exit(f"socket_player: {problem}")
