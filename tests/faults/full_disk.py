"""A disk that is full or read-only, under a whole server: it says so, loses nothing, and goes on by itself.

::

    play --> the disk fails --> refused for now, by socket and by HTTP; reading goes on
         --> it recovers    --> the same commands are carried out, in the same process

Run as ``python -m tests.faults.full_disk``; with a way and a folder it is what happens inside.
"""

import asyncio
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from sanssouci.dealer import BulkStream

from ..share import WHOLE, Share
from .audit import audit
from .failing import FULL, LIMITED, READ_ONLY, WAYS, Way, missing
from .fault import Fault, Progress
from .guest import Guest, Json, Sent, World
from .planted import Plant
from .served import ROOT, Served
from .table import Row, write_table
from .turns import some_command
from .wire import Reply

TEST = "disk"
GOAL = "clear retryable refusal, nothing acknowledged lost, serves again when space is back"
TURNS = 12
"""Commands before and after."""
MOST = 500
"""Commands that may still find room on a disk that is full: the log has some."""
PATIENCE = 60.0
"""Seconds after which a server that does not serve again is given up."""
BRIEF = 2.0
"""The same for one that never will, and still many times as long as it takes one that does."""


@dataclass
class Seen:
    """What came of it."""

    way: str
    acknowledged: int = 0
    refused: int = 0
    again: float = 0.0
    """Seconds from when the disk was well to the first command that was carried out."""
    wrong: list[str] = field(default_factory=list)

    def expect(self, right: object, what: str) -> None:
        """Note what is not as it should be."""
        if not right:
            self.wrong.append(what)


class Visit:
    """Somebody who plays both chairs of a table, by HTTP and by socket in turn."""

    def __init__(self, guest: Guest, table: str, seen: Seen) -> None:
        self.journal: list[Sent] = []
        self.guest = guest
        self._path = f"/api/tables/{table}"
        self._table = table
        self._seen = seen

    async def view(self, chair: int = 0) -> Json:
        """The table as it is."""
        reply = await self.guest.ask("GET", f"{self._path}?chair={chair}")
        self._seen.expect(reply.status == 200, f"the table could not be read: {reply.body!r}")
        seen: Json = reply.json()
        return seen

    async def next_command(self) -> Sent:
        """What is to be done now, by somebody."""
        view = await self.view()
        chair = view["waiting"][0]
        view = await self.view(chair)
        command = some_command(view, self.guest.world.chance)
        sent = Sent(self._table, chair, f"c{len(self.journal)}", view["seq"], command)
        self.journal.append(sent)
        return sent

    async def give(self, sent: Sent) -> Reply:
        """Give a command, and note what came back; one that was refused for now may be given again."""
        order = {**sent.order, "chair": sent.chair}
        reply = await self.guest.ask("POST", f"{self._path}/commands", order)
        if reply.status == 200:
            sent.acknowledged, sent.repeated = reply.json()["seq"], reply.json()["repeated"]
            self._seen.acknowledged += 1
        else:
            self._seen.refused += 1
        return reply

    async def give_by_socket(self, sent: Sent) -> Json:
        """The answer that a socket gets; a new one, that is greeted with the whole table before."""
        async with self.guest.talk(self._table, sent.chair) as talk:
            hello = await talk.hear()
            self._seen.expect(hello["seq"] == sent.expected, f"a socket was greeted with {hello['seq']}")
            await talk.say({"type": "command", **sent.order})
            answer = await talk.hear()
        self._seen.refused += answer["type"] == "refused"
        return answer


async def watch(way: Way, folder: Path, plant: Plant) -> Seen:
    """What a server says before, while and after its disk fails."""
    data, tools, seen = folder / "data", folder / "tools", Seen(way.name)
    for place in (data, tools):
        place.mkdir()
    way.prepare(data)
    with Served(data / "tables.db", tools / "log", plant, way.environ(data, tools)) as served:
        served.start()
        await served.opened()
        visit = await _arrive(served, seen)
        for _ in range(TURNS):
            seen.expect((await visit.give(await visit.next_command())).status == 200, "refused before")
        with way.failing(served, tools):
            refused = await _while_it_fails(visit, seen)
        patience = BRIEF if plant is Plant.BRITTLE else PATIENCE
        await _afterwards(visit, refused, seen, patience)
        visit.guest.leave()
    findings = audit(served.data, visit.journal, [])
    seen.wrong += findings.examples()
    return seen


async def _arrive(served: Served, seen: Seen) -> Visit:
    world = World(BulkStream(1), served.place)
    world.open.set()
    guest = await Guest.arrive(world, "Ada")
    wanted = {"chairs": [{"sitter": "person"}, {"sitter": "person", "name": "Ben"}], "edition": "imperial"}
    return Visit(guest, (await guest.ask("POST", "/api/tables", wanted)).json()["table"], seen)


async def _while_it_fails(visit: Visit, seen: Seen) -> Sent:
    """The first command that is refused, and all else that can be asked meanwhile."""
    for _ in range(MOST):
        sent = await visit.next_command()
        reply = await visit.give(sent)
        if reply.status != 200:
            break
    _expect_refusal(reply, seen)
    answer = await visit.give_by_socket(sent)
    seen.expect(answer["type"] == "refused" and answer["retry_after"], f"a socket was answered {answer}")
    for path, body in (("/api/guests", {"name": "Eve", "cookie": False}), ("/api/tables", {})):
        _expect_refusal(await visit.guest.ask("POST", path, body or _WANTED), seen)
    seen.expect((await visit.view())["seq"] == sent.expected, "the table has moved")
    seen.expect(not await _says_ready(visit), "it is said to be ready, and can keep nothing")
    old = await visit.give(visit.journal[0])
    seen.expect(old.status == 200 and old.json()["repeated"], f"a repeat was answered {old.body!r}")
    return sent


async def _says_ready(visit: Visit) -> bool:
    """What the server says of its store to whoever watches over it."""
    reply = await visit.guest.ask("GET", "/ready")
    seen: bool = reply.json()["store"]
    return seen


_WANTED: Json = {"chairs": [{"sitter": "person"}, {"sitter": "open"}]}


def _expect_refusal(reply: Reply, seen: Seen) -> None:
    """Temporary, and in a sentence."""
    seen.expect(reply.status == 503 and reply.headers.get("retry-after"), f"refused with {reply}")
    if reply.status == 503:
        seen.expect("try again" in reply.json()["error"]["sentence"], f"refused with {reply.body!r}")


async def _afterwards(visit: Visit, refused: Sent, seen: Seen, patience: float) -> None:
    """It is ready before anybody plays; the same command is carried out, for the first time, then others."""
    recovered = time.monotonic()
    while not (ready := await _says_ready(visit)) and time.monotonic() < recovered + patience:
        await asyncio.sleep(0.05)
    seen.expect(ready, "it is not said to be ready, and nothing keeps it")
    while (reply := await visit.give(refused)).status == 503 and time.monotonic() < recovered + patience:
        await asyncio.sleep(0.05)
    seen.again = time.monotonic() - recovered
    seen.expect(reply.status == 200 and not reply.json()["repeated"], f"afterwards {reply.body!r}")
    if reply.status == 200:
        for _ in range(TURNS):
            seen.expect((await visit.give(await visit.next_command())).status == 200, "refused afterwards")


def measure(way: Way, plant: Plant = Plant.NOTHING) -> Seen:
    """Run in a temporary folder, and in another process if the scenario needs ``unshare``."""
    with TemporaryDirectory() as folder:
        if not way.through:
            return asyncio.run(watch(way, Path(folder), plant))
        command = [*way.through, sys.executable, "-m", f"{__package__}.full_disk", way.name, folder, plant]
        done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=ROOT, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return Seen(**json.loads(done.stdout))


def rows(progress: Progress, share: Share = WHOLE) -> list[Row]:
    """A disk that is full, and one that is read-only; what this machine cannot do is not run."""
    # Where nothing can be mounted, files that may not grow are a full disk too.
    ways = (LIMITED if missing(FULL) else FULL, READ_ONLY)
    return [_row(way, progress) for way in ways if way.name in share]


def _row(way: Way, progress: Progress) -> Row:
    test = f"{TEST}: {way.name}"
    reason = missing(way)
    if reason is not None:
        return Row.not_run(test, GOAL, reason)
    progress(f"a disk that is {way.name}")
    seen = measure(way)
    measured = (
        f"{len(seen.wrong)} wrong; {seen.acknowledged} acknowledged, {seen.refused} refused for now, "
        f"served again after {seen.again:.2f} s"
    )
    return Row(test, 1, measured, GOAL, not seen.wrong)


FAULT = Fault("disk", TEST, GOAL, rows)

if __name__ == "__main__":
    if sys.argv[1:]:
        name, place, planted = sys.argv[1:]
        print(json.dumps(asdict(asyncio.run(watch(WAYS[name], Path(place), Plant(planted))))))
    else:
        table = rows(lambda text: print(text, file=sys.stderr))
        print(write_table(table))
        sys.exit(any(row.ok is False for row in table))
