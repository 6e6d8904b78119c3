"""A client for a Sanssouci server: plays one seat with random legal turns, without knowing the rules.

See docs/protocol.md. Needs a running server (`sanssouci serve`) and two packages:

    pip install httpx websockets
    python examples/socket_player.py http://127.0.0.1:8017 --computer level:1
    python examples/socket_player.py http://127.0.0.1:8017 --table TABLE --join SECRET
"""

import argparse
import asyncio
import hashlib
import json
import secrets
import sys

import httpx
import websockets

FATAL_CLOSE_CODES = {4400, 4403}
"""Reconnecting does not help after these: we sent something invalid, or we lost the chair."""
MAX_WAIT = 30.0


def turns(options):
    """All legal turns, built from the tables in a view's options."""
    for card, spaces in options["cards"].items():
        for space in spaces:
            for tile in options["spaces"][str(space)]:
                for boar in options["boar"].get(tile, [None]):
                    turn = f"{card}@{space}-{tile}" + (f"~{boar}" if boar else "")
                    yield turn
                    for stop in options["stops"][tile]:
                        yield f"{turn}/{stop}"


SCHEME = "sanssouci fair/3"
"""How the game is dealt. Other schemes give no promise about the terms, and our hashes would not fit them."""


def commitment(view, nonce):
    """Our commitment to a nonce: it does not tell the nonce, and we cannot choose another one later."""
    return fair_hash(f"{SCHEME} nonce", view["table"], view["commitment"], view["you"]["chair"], nonce)


def fair_hash(*parts):
    return hashlib.sha256(json.dumps(parts, separators=(",", ":")).encode()).hexdigest()


def check_deal(view, nonce):
    """Compute the commitment to the deal ourselves: keep the nonce secret if the server shows another one."""
    committed = [chair["commitment"] or "" for chair in view["chairs"]]
    terms = view["terms"]
    start = "drawn" if terms["first"] is None else terms["first"]
    bound = [terms["edition"], terms["expansions"], terms["boards"]["sha256"], terms["seats"], start]
    deal = fair_hash(f"{SCHEME} deal", view["table"], view["commitment"], committed, bound)
    if deal != view["deal_commitment"] or committed[view["you"]["chair"]] != commitment(view, nonce):
        raise RuntimeError("the server's commitments do not fit together")


def decide(view, nonce):
    """The command to send now, or None. ``nonce`` is our random contribution to the shuffle."""
    may = view["you"]["may"]
    if "ready" in may:
        return {"type": "ready", "commitment": commitment(view, nonce)}
    if "reveal" in may:  # everyone is committed: with the right commitments, it is safe to show the nonce
        check_deal(view, nonce)
        return {"type": "reveal", "nonce": nonce}
    if "pick" in may:
        return {"type": "pick", "side": secrets.choice([0, 1])}
    if "play" in may:
        return {"type": "play", "turn": secrets.choice(list(turns(view["options"])))}
    return None


class SocketPlayer:
    """One player at one table."""

    def __init__(self, url, name="Random", first_wait=1.0):
        self.client = httpx.AsyncClient(base_url=url)
        self.socket_url = url.replace("http", "ws", 1) + "/api/socket"
        self.name = name
        self.first_wait = first_wait
        self.table = None
        self.view = None
        self.nonce = None
        self.pending = None  # the command that was sent and not yet acknowledged
        self.done = -1  # the seq of our last command's event

    async def request(self, method, path, body=None, **headers):
        """Send an HTTP request; after 429 or 503, wait as long as the server says and repeat it."""
        while True:
            answer = await self.client.request(method, path, json=body, headers=headers)
            if answer.status_code not in (429, 503):
                break
            await asyncio.sleep(int(answer.headers["retry-after"]))
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.json()['error']['sentence']}")
        return answer.json()

    async def become_guest(self):
        """Choose a name and keep the token."""
        guest = await self.request("POST", "/api/guests", {"name": self.name, "cookie": False})
        self.client.headers["authorization"] = f"Bearer {guest['token']}"

    async def set_up(self, *chairs, **settings):
        """Set up a table for us and the given other chairs. The response has the secrets of its links."""
        body = {"chairs": [{"sitter": "person"}, *chairs], **settings}
        made = await self.request("POST", "/api/tables", body)
        self.table = made["table"]
        return made

    async def join(self, table, secret):
        """Take an open chair at another guest's table."""
        await self.request("POST", f"/api/tables/{table}/seats", {}, **{"x-sanssouci-key": secret})
        self.table = table

    async def play(self):
        """Play until the game is over, reconnecting as needed, and return the last view."""
        wait = self.first_wait
        while not self.is_over:
            try:
                ticket = await self.request("POST", f"/api/tables/{self.table}/tickets", {})
                async with websockets.connect(self.socket_url, compression=None, max_size=None) as socket:
                    await self.run_socket(socket, ticket["ticket"])
                wait = self.first_wait
            except websockets.ConnectionClosed as closed:
                if closed.rcvd is not None and closed.rcvd.code in FATAL_CLOSE_CODES:
                    raise
            except (OSError, httpx.TransportError, websockets.InvalidHandshake):
                pass  # the server is unreachable; try again
            if not self.is_over:
                await asyncio.sleep(wait * (0.75 + secrets.randbelow(50) / 100))
                wait = min(2 * wait, MAX_WAIT)
        return self.view

    @property
    def is_over(self):
        return self.view is not None and self.view["stage"] == "over"

    async def run_socket(self, socket, ticket):
        """Send and receive on one socket until the game is over."""
        hello = {"type": "hello", "ticket": ticket}
        if self.view is not None:
            hello["seq"] = self.view["seq"]
        await socket.send(json.dumps(hello))
        self.take(json.loads(await socket.recv()))
        if self.pending is not None:  # unacknowledged: repeat it; the server executes it only once
            await socket.send(json.dumps(self.pending))
        while not self.is_over:
            await self.send_command(socket)
            message = json.loads(await socket.recv())
            if message["type"] == "refused":
                await self.handle_refusal(socket, message)
            else:
                self.take(message)

    def take(self, message):
        """Process an update, or the acknowledgement of our command."""
        if message["type"] == "update":
            self.view = message["view"]
        elif message["type"] == "done":
            self.pending, self.done = None, message["seq"]

    async def send_command(self, socket):
        """Send the next command, if any: one at a time, and only once the view includes our last one."""
        if self.pending is not None or self.view["seq"] < self.done:
            return
        if "ready" in self.view["you"]["may"]:
            self.nonce = secrets.token_hex(16)  # a new one for every shuffle
        command = decide(self.view, self.nonce)
        if command is not None:
            self.pending = {
                "type": "command",
                "command_id": secrets.token_hex(16),
                "expected_seq": self.view["seq"],
                "command": command,
            }
            await socket.send(json.dumps(self.pending))

    async def handle_refusal(self, socket, message):
        """Decide again after a stale command; repeat a command that may succeed later."""
        if message["error"]["code"] == "declined.stale":
            self.pending = None
            self.take(json.loads(await socket.recv()))  # the current view
        elif message["retry_after"] is not None:
            await asyncio.sleep(message["retry_after"])
            await socket.send(json.dumps(self.pending))
        else:
            raise RuntimeError(message["error"]["sentence"])


async def main(arguments):
    """Find a table, play, and print the result."""
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
    parser = argparse.ArgumentParser(description="Plays on a Sanssouci server with random legal turns.")
    parser.add_argument("url", help="the server's address, such as http://127.0.0.1:8017")
    parser.add_argument("--name", default="Random")
    parser.add_argument("--computer", default="level:1", help="the computer player to play against")
    parser.add_argument("--table", help="join this table instead")
    parser.add_argument("--join", default="", help="the secret of its join link, unless it is public")
    try:
        asyncio.run(main(parser.parse_args()))
    except (RuntimeError, httpx.HTTPError, websockets.ConnectionClosed) as problem:
        sys.exit(f"socket_player: {problem}")
