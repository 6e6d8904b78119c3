"""A full or read-only disk under a complete server: it refuses writes, loses nothing, and recovers by itself.

::

    play --> the disk fails --> temporary refusals by socket and HTTP; reading still works
         --> it recovers    --> the same commands are executed by the same process

Run as ``python -m tests.faults disk``. As a program, it runs one scenario inside a separate mount namespace.
"""

import asyncio
import json
import subprocess
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx

from sanssouci.dealer import BulkStream

from ..harness.builders import legal_command, new_table
from ..harness.client import Client
from ..harness.process import ROOT, ServerProcess
from ..harness.sockets import Json
from ..share import WHOLE, Share
from .audit import audit
from .failing import FULL, LIMITED, READ_ONLY, SCENARIOS, Scenario, missing
from .journal_clients import SentCommand
from .planted import Plant, planted_server
from .report import Fault, Progress, Row

TEST = "disk"
GOAL = "clear retryable refusal, nothing acknowledged lost, serves again when space is back"
TURNS = 12
"""Commands before the failure, and again after it."""
MAX_COMMANDS = 500
"""The most commands that may still succeed on a full disk: the WAL file has some space left."""
TIMEOUT = 60.0
"""Seconds to wait for a server to recover."""
SHORT_TIMEOUT = 2.0
"""The same for a server that never recovers, still much longer than recovery takes."""


@dataclass
class Result:
    """The result of a scenario."""

    scenario: str
    acknowledged: int = 0
    refused: int = 0
    recovery: float = 0.0
    """Seconds from the recovery of the disk to the first executed command."""
    wrong: list[str] = field(default_factory=list)

    def expect(self, right: object, problem: str) -> None:
        """Note a failed expectation."""
        if not right:
            self.wrong.append(problem)


class PlayingClient:
    """A client that plays both chairs of a table, by HTTP and socket."""

    def __init__(self, client: Client, table: str, result: Result) -> None:
        self.journal: list[SentCommand] = []
        self.client = client
        self._table = table
        self._stream = BulkStream(1)
        self._seen = result

    async def view(self, chair: int = 0) -> Json:
        response = await self.client.request("GET", f"/api/tables/{self._table}?chair={chair}")
        self._seen.expect(response.status_code == 200, f"the table could not be read: {response.text}")
        view: Json = response.json()
        return view

    async def next_command(self) -> SentCommand:
        """A command for the awaited chair."""
        chair = (await self.view())["waiting"][0]
        view = await self.view(chair)
        command = legal_command(view, self._stream)
        sent = SentCommand(self._table, chair, f"c{len(self.journal)}", view["seq"], command)
        self.journal.append(sent)
        return sent

    async def send(self, sent: SentCommand) -> httpx.Response:
        """Send a command and note the answer. After a temporary refusal it may be sent again."""
        path, message = f"/api/tables/{self._table}/commands", {**sent.message, "chair": sent.chair}
        response = await self.client.request("POST", path, message)
        if response.status_code == 200:
            sent.acknowledged, sent.repeated = response.json()["seq"], response.json()["repeated"]
            self._seen.acknowledged += 1
        else:
            self._seen.refused += 1
        return response

    async def send_by_socket(self, sent: SentCommand) -> Json:
        """The answer on a new socket, whose first message is the complete table."""
        socket = await self.client.connect(self._table, sent.chair)
        update = await socket.receive()
        self._seen.expect(update["seq"] == sent.expected, f"a socket started at {update['seq']}")
        await socket.send({"type": "command", **sent.message})
        answer = await socket.receive()
        await socket.close()
        self._seen.refused += answer["type"] == "refused"
        return answer


async def run_scenario(scenario: Scenario, folder: Path, plant: Plant) -> Result:
    """Play before, during and after a failure of the disk, then audit the data file."""
    data, tools, result = folder / "data", folder / "tools", Result(scenario.name)
    for place in (data, tools):
        place.mkdir()
    scenario.prepare(data)
    with planted_server(data / "tables.db", tools / "log", plant, scenario.environ(data, tools)) as server:
        server.start()
        await server.listening()
        player = await _new_player(server, result)
        for _ in range(TURNS):
            result.expect(
                (await player.send(await player.next_command())).status_code == 200, "refused before"
            )
        with scenario.failing(server, tools):
            refused = await _check_while_failing(player, result)
        timeout = SHORT_TIMEOUT if plant is Plant.NEVER_RECOVERS else TIMEOUT
        await _check_recovery(player, refused, result, timeout)
        await player.client.close()
    findings = audit(server.data, player.journal, [])
    result.wrong += findings.examples()
    return result


async def _new_player(server: ServerProcess, result: Result) -> PlayingClient:
    client = await server.client().as_guest("Ada")
    return PlayingClient(
        client, (await client.create_table("person", "person", edition="imperial")).id, result
    )


async def _check_while_failing(player: PlayingClient, result: Result) -> SentCommand:
    """Play until a command is refused, then check all other requests. Returns the refused command."""
    for _ in range(MAX_COMMANDS):
        sent = await player.next_command()
        reply = await player.send(sent)
        if reply.status_code != 200:
            break
    _expect_refusal(reply, result)
    answer = await player.send_by_socket(sent)
    result.expect(answer["type"] == "refused" and answer["retry_after"], f"a socket was answered {answer}")
    for path, body in (
        ("/api/guests", {"name": "Eve", "cookie": False}),
        ("/api/tables", new_table("person", "open")),
    ):
        _expect_refusal(await player.client.request("POST", path, body), result)
    result.expect((await player.view())["seq"] == sent.expected, "the table has changed")
    result.expect(not await _is_ready(player), "reports ready with a failing disk")
    old = await player.send(player.journal[0])
    result.expect(old.status_code == 200 and old.json()["repeated"], f"a repeat was answered {old.text}")
    return sent


async def _is_ready(player: PlayingClient) -> bool:
    """Whether the readiness check reports a working store."""
    reply = await player.client.request("GET", "/ready")
    ready: bool = reply.json()["store"]
    return ready


def _expect_refusal(reply: httpx.Response, result: Result) -> None:
    """Expect a temporary refusal with a message."""
    result.expect(reply.status_code == 503 and reply.headers.get("retry-after"), f"refused with {reply}")
    if reply.status_code == 503:
        result.expect("try again" in reply.json()["error"]["sentence"], f"refused with {reply.text}")


async def _check_recovery(
    player: PlayingClient, refused: SentCommand, result: Result, timeout: float
) -> None:
    """Check that the server is ready before any command, and executes the refused command and more."""
    recovered = time.monotonic()
    while not (ready := await _is_ready(player)) and time.monotonic() < recovered + timeout:
        await asyncio.sleep(0.05)
    result.expect(ready, "reports not ready after the recovery")
    while (reply := await player.send(refused)).status_code == 503 and time.monotonic() < recovered + timeout:
        await asyncio.sleep(0.05)
    result.recovery = time.monotonic() - recovered
    result.expect(
        reply.status_code == 200 and not reply.json()["repeated"], f"after the recovery: {reply.text}"
    )
    if reply.status_code == 200:
        for _ in range(TURNS):
            result.expect(
                (await player.send(await player.next_command())).status_code == 200,
                "refused after the recovery",
            )


def measure(scenario: Scenario, plant: Plant = Plant.NOTHING) -> Result:
    """Run a scenario in a temporary folder, and in another process if it needs ``unshare``."""
    with TemporaryDirectory() as folder:
        if not scenario.wrapper:
            return asyncio.run(run_scenario(scenario, Path(folder), plant))
        command = [
            *scenario.wrapper,
            sys.executable,
            "-m",
            f"{__package__}.full_disk",
            scenario.name,
            folder,
            plant,
        ]
        done = subprocess.run(command, capture_output=True, check=False, text=True, cwd=ROOT, timeout=300)
    if done.returncode != 0:
        raise RuntimeError(done.stderr)
    return Result(**json.loads(done.stdout))


def rows(progress: Progress, share: Share = WHOLE) -> list[Row]:
    """Run a full and a read-only disk, as far as this machine supports them."""
    # Where mounts are not permitted, a limit on file sizes stands in for a full disk.
    ways = (LIMITED if missing(FULL) else FULL, READ_ONLY)
    return [_row(scenario, progress) for scenario in ways if scenario.name in share]


def _row(scenario: Scenario, progress: Progress) -> Row:
    test = f"{TEST}: {scenario.name}"
    reason = missing(scenario)
    if reason is not None:
        return Row.not_run(test, GOAL, reason)
    progress(f"{scenario.name} disk")
    result = measure(scenario)
    measured = (
        f"{len(result.wrong)} wrong; {result.acknowledged} acknowledged, "
        f"{result.refused} temporarily refused, recovered after {result.recovery:.2f} s"
    )
    return Row(test, 1, measured, GOAL, not result.wrong)


FAULT = Fault("disk", TEST, GOAL, rows)

if __name__ == "__main__":
    name, place, planted = sys.argv[1:]
    print(json.dumps(asdict(asyncio.run(run_scenario(SCENARIOS[name], Path(place), Plant(planted))))))
