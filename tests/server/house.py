"""A whole server in this process, for tests: real app, real store, people with names and sockets.

::

    @housed()                                    # or housed(players=("random",), tables_per_guest=2)
    async def test_...(house: House) -> None:
        ada = await house.guest("Ada")           # a program with a bearer token; browser=True: a cookie
        table = await ada.open("person", "open") # id, seats, join, watch: the secrets of its links
        bob = await house.guest("Bob")
        await bob.key(table.join).join(table)    # the same person, with the secret of a link
        line = await ada.sit(table)              # a socket; the first update is still to be read
        update = await line.next()
        await line.command("ready", update["seq"], nonce=NONCE)
        view = await bob.view(table)             # by HTTP
        answer = await bob.give(table, "ready", nonce=NONCE)          # httpx.Response
        await bob.do(table, "ready", nonce=NONCE)                     # the same, and it must be done
        await house.play_out(table, {0: ada, 1: bob})
        await house.restart()                    # everything is closed and opened again on the same data
        house.world.advance(60)                  # time passes by the server's clock
        await house.attend()                     # it looks what is due, and all that was begun ends

``house.players`` are players that answer at once (``let.clear()`` holds them back, ``fault`` makes them
fail), ``house.store`` can be told to fail (``with house.store.broken()``) and ``held_up(house.store)`` holds
commits back. ``house.rows()`` is all that is kept, for tests that nothing has changed.
"""

import asyncio
import functools
import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from starlette.types import ASGIApp, Message

from sanssouci.server.app import make_app, make_services
from sanssouci.server.limits.rate_limits import Limit, read_rates
from sanssouci.server.middleware.allowed_origins import AllowedOrigins
from sanssouci.server.ops.static_files import StaticFiles
from sanssouci.server.services import Services
from sanssouci.server.settings import Settings

from ..store.builders import empty_data_file, everything
from ..workers.pools import until, within
from .line import Line
from .staff import Brittle, Instant, World

Json = dict[str, Any]
HOST = "localhost:8017"
ORIGIN = f"http://{HOST}"
NONCE = "00" * 8
RECORD = (Path(__file__).parents[1] / "records" / "imperial-base-2.json").read_bytes()
"""A whole game."""
RATES = read_rates(",".join(f"{bucket}=1000000/minute" for bucket in Limit))


@dataclass(frozen=True)
class Opened:
    """A table that was set up, with the secrets of its links."""

    id: str
    seats: dict[int, str]
    join: str
    watch: str

    def __str__(self) -> str:
        return self.id


class House:
    """A server."""

    def __init__(
        self, folder: Path, players: tuple[str, ...] = ("random",), world: str = "world", **settings: Any
    ) -> None:
        self.path = folder / "tables.db"
        self.settings = Settings(
            **{"data": self.path, "players": players, "rates": RATES, "address_factor": 1000, **settings}
        )
        self.world = World(world)
        self.players = Instant(*players)
        self.store: Brittle
        self.services: Services
        self.pages: StaticFiles | None = None
        self.app: ASGIApp
        self._lifespan: _Lifespan

    async def open(self) -> None:
        """Begin to serve."""
        if not self.path.exists():
            self.path.parent.mkdir(exist_ok=True)
            self.path.write_bytes(empty_data_file())
        store = Brittle.open(self.path)
        assert isinstance(store, Brittle)
        self.store = store
        self.services = make_services(self.settings, store, self.players, self.world.dependencies, self.pages)
        self.app = make_app(self.services, AllowedOrigins.of("127.0.0.1", 8017, self.settings.public_url))
        self._lifespan = _Lifespan(self.app)
        await self._lifespan.begin()

    async def close(self) -> None:
        """Stop."""
        await self._lifespan.end()
        self.store.close()

    async def restart(self) -> None:
        """Stop, and begin anew on the same data."""
        await self.close()
        await self.open()

    async def guest(self, name: str = "Ada", browser: bool = False, **headers: str) -> "Person":
        """Somebody chooses a name."""
        nobody = self.nobody()
        response = await nobody.ask("POST", "/api/guests", {"name": name, "cookie": browser}, **headers)
        assert response.status_code == 201, response.text
        if browser:
            return Person(self, {"cookie": response.headers["set-cookie"].split(";")[0], "origin": ORIGIN})
        return Person(self, {"authorization": f"Bearer {response.json()['token']}"})

    def nobody(self) -> "Person":
        """Somebody without a name."""
        return Person(self)

    async def attend(self) -> None:
        """What is due is looked for, and all that was begun comes to its end."""
        await self.services.scheduler.sweep()
        await self.quiet()

    async def quiet(self) -> None:
        """Computer players have played as far as they can, and no clock has run out."""
        registry = self.services.registry

        def all_done() -> bool:
            errands = any(live_table.bot_task for live_table in registry.live_tables())
            late = any(
                (live_table.table.state.deadline or self.world.now + 1) <= self.world.now
                for live_table in registry.live_tables()
            )
            return not errands and not late and not registry._running

        await until(all_done)

    def rows(self) -> dict[str, list[tuple[Any, ...]]]:
        """All that is kept."""
        return everything(self.path)

    async def play_out(self, table: Opened | str, people: "Mapping[int, Person]", turns: int = 1000) -> Json:
        """Everyone plays on, to the end or for so many commands; the last view of the first."""
        for _ in range(turns):
            await self.quiet()
            view = await next(iter(people.values())).view(table)
            awaited = [chair for chair in view["waiting"] if chair in people]
            if not awaited:
                break
            person, chair = people[awaited[0]], awaited[0]
            await person.do(table, at=chair, **next_command(await person.view(table, chair)))
        await self.quiet()
        return await next(iter(people.values())).view(table)


class Person:
    """Somebody who asks: ``headers`` go with every request."""

    def __init__(self, house: House, headers: dict[str, str] | None = None, peer: str = "127.0.0.1") -> None:
        self.house = house
        self.headers = headers or {}
        self.peer = peer
        self._commands = 0

    def key(self, secret: str) -> "Person":
        """The same with the secret of a link."""
        return Person(self.house, {**self.headers, "x-sanssouci-key": secret}, self.peer)

    async def ask(self, method: str, path: str, json: Any = None, **headers: str) -> httpx.Response:
        """Ask anything."""
        return await self._request(method, path, headers, json=json)

    async def send(self, path: str, content: bytes, **headers: str) -> httpx.Response:
        """Send bytes, such as a record."""
        return await self._request("POST", path, headers, content=content)

    async def _request(self, method: str, path: str, headers: dict[str, str], **body: Any) -> httpx.Response:
        transport = httpx.ASGITransport(self.house.app, raise_app_exceptions=False, client=(self.peer, 4711))
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            return await client.request(method, path, headers=sent, **body)

    async def get(self, path: str) -> Json:
        """What is answered, which must be fine."""
        return _fine(await self.ask("GET", path))

    async def open(self, *chairs: str, **terms: Any) -> Opened:
        """Set up a table: each chair is ``person``, ``open`` or the name of a computer player."""
        response = await self.ask("POST", "/api/tables", new_table(*chairs, **terms))
        found = _fine(response)
        seats = {seat["chair"]: seat["token"] for seat in found["seats"]}
        return Opened(found["table"], seats, found["join"], found["watch"])

    async def join(self, table: Opened | str, chair: int | None = None, name: str | None = None) -> Json:
        """Take a chair."""
        return _fine(await self.ask("POST", f"/api/tables/{table}/seats", {"chair": chair, "name": name}))

    async def review(self, record: bytes) -> str:
        """Have a game reviewed, and wait until it is."""
        review = str(_fine(await self.send("/api/reviews", record))["review"])
        await until(lambda: self.house.services.reviews.work(review) is None)
        return review

    async def view(self, table: Opened | str, chair: int | None = None) -> Json:
        """The table as one sees it."""
        return await self.get(f"/api/tables/{table}" + ("" if chair is None else f"?chair={chair}"))

    async def give(
        self,
        table: Opened | str,
        type: str,
        *,
        at: int | None = None,
        command_id: str = "",
        seq: int | None = None,
        **arguments: Any,
    ) -> httpx.Response:
        """Give a command, from the chair that one is at; without a seq it is given as the table is now."""
        if seq is None:
            live_table = self.house.services.registry.find_loaded(str(table))
            seq = (await self.view(table))["seq"] if live_table is None else live_table.table.seq
        self._commands += 1
        message = {
            "command_id": command_id or f"{id(self)}-{self._commands}",
            "expected_seq": seq,
            "chair": at,
            "command": {"type": type, **arguments},
        }
        return await self.ask("POST", f"/api/tables/{table}/commands", message)

    async def do(self, table: Opened | str, type: str, **details: Any) -> Json:
        """Give a command, which must be carried out."""
        return _fine(await self.give(table, type, **details))

    async def ticket(self, table: Opened | str, chair: int | None = None, watch: bool = False) -> str:
        """A ticket for a socket."""
        answer = await self.ask("POST", f"/api/tables/{table}/tickets", {"chair": chair, "watch": watch})
        return str(_fine(answer)["ticket"])

    async def sit(
        self, table: Opened | str, chair: int | None = None, watch: bool = False, seq: int = -1
    ) -> Line:
        """A socket at a table, with a ticket of its own."""
        return await self.dial(await self.ticket(table, chair, watch), seq)

    async def dial(self, ticket: str, seq: int = -1) -> Line:
        """A socket on which a ticket was shown."""
        line = await self.line()
        await line.send({"type": "hello", "ticket": ticket, "seq": seq})
        return line

    async def line(self) -> Line:
        """A socket on which nothing was said yet."""
        return await Line(self.house.app, {"host": HOST, **self.headers}, self.peer).open()


def new_table(*chairs: str, **terms: Any) -> Json:
    """The message that sets a table up."""
    sitters = [
        {"sitter": chair} if chair in ("person", "open") else {"sitter": "computer", "player": chair}
        for chair in chairs
    ]
    return {"chairs": sitters, **terms}


def next_command(view: Json) -> Json:
    """What somebody does who is awaited: the first thing there is."""
    if view["stage"] == "lobby":
        return {"type": "ready", "nonce": NONCE}
    if view["stage"] == "picking":
        return {"type": "pick", "side": 0}
    return {"type": "play", "turn": first_turn(view["options"])}


def first_turn(options: Json) -> str:
    """A turn, from the tables that a browser gets."""
    card = next(iter(options["cards"]))
    space = options["cards"][card][0]
    tile = options["spaces"][str(space)][0]
    boar = f"~{options['boar'][tile][0]}" if tile in options["boar"] else ""
    stops = options["stops"].get(tile) or {}
    return f"{card}@{space}-{tile}{boar}" + (f"/{next(iter(stops))}" if stops else "")


def housed(**settings: Any) -> Callable[[Callable[..., Awaitable[None]]], Callable[..., None]]:
    """A test gets a house that is open, and closed after it; it may have fixtures and parameters beside."""

    def furnish(test: Callable[..., Awaitable[None]]) -> Callable[..., None]:
        async def story(folder: Path, *args: Any, **kwargs: Any) -> None:
            async with a_house(folder, **settings) as house:
                await test(house, *args, **kwargs)

        def run(tmp_path: Path, *args: Any, **kwargs: Any) -> None:
            within(story(tmp_path, *args, **kwargs))

        functools.update_wrapper(run, test)
        del run.__wrapped__  # type: ignore[attr-defined]  # pytest would look for a fixture "house"
        first, *others = inspect.signature(test).parameters.values()
        own = first.replace(name="tmp_path", annotation=Path)
        run.__signature__ = inspect.Signature([own, *others])  # type: ignore[attr-defined]
        return run

    return furnish


@asynccontextmanager
async def a_house(folder: Path, **settings: Any) -> AsyncIterator[House]:
    """A house that is open inside."""
    house = House(folder, **settings)
    await house.open()
    try:
        yield house
    finally:
        await house.close()


def _fine(response: httpx.Response) -> Json:
    assert response.status_code in (200, 201), f"{response.status_code} {response.text}"
    found: Json = response.json()
    return found


@dataclass
class _Lifespan:
    """The beginning and the end of an app."""

    app: ASGIApp
    to_app: "asyncio.Queue[Message]" = field(default_factory=asyncio.Queue)
    from_app: "asyncio.Queue[Message]" = field(default_factory=asyncio.Queue)
    task: "asyncio.Task[None] | None" = None

    async def begin(self) -> None:
        """The app starts up."""
        self.task = asyncio.create_task(self._run())
        await self._pass("startup")

    async def end(self) -> None:
        """It shuts down."""
        await self._pass("shutdown")
        assert self.task is not None, "it has begun"
        await self.task

    async def _run(self) -> None:
        await self.app({"type": "lifespan", "state": {}}, self.to_app.get, self.from_app.put)

    async def _pass(self, stage: str) -> None:
        self.to_app.put_nowait({"type": f"lifespan.{stage}"})
        assert (await self.from_app.get())["type"] == f"lifespan.{stage}.complete"
