"""Hostile messages to a real server, while honest clients play on it.

::

    HonestClients (timed) --> server <-- attacker (another process)
                                |
            no 5xx, no failure in its log, bounded memory, no unexplained data
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import psutil

from sanssouci.server.ops.audit import audit
from sanssouci.server.tables.table_registry import read_events
from sanssouci.store import Store, check_file, check_guests
from sanssouci.table import Event, parse_command

from ...harness.builders import NONCE
from ...harness.process import ROOT
from ...harness.settings import ENVIRONMENT
from ..planted import Plant, planted_server
from ..report import Progress, Row
from ..seeded_random import SeededRandom
from . import GOAL, TEST
from .honest_clients import Acknowledged, HonestClients
from .hostile_values import Target
from .schema import Findings, run_schema_tests

MESSAGES = 200_000
SCHEMA_EVERY = 20
"""One message in so many comes from schemathesis, which is slow."""
PER_ATTACK = 20_000
QUIET_COMMANDS = 800
"""Honest commands that are timed before each attack: about 20 seconds of play."""
MAX_RATIO = 2.0
MEMORY = Path("/dev/shm")
"""A folder in memory, if there is one, so that the disk does not affect the times."""
_EXAMPLES = 10
"""The number of problems that are listed."""
MAX_GROWTH = 64.0
"""MiB that the server may grow by after its first attack, which fills its caches."""
RATE = 350.0
"""Hostile messages per second."""
TIMEOUT = 60.0
"""Seconds within which an honest client must have played."""
GAMES = 10
"""Concurrent honest games."""
SETTINGS = {
    "SANSSOUCI_RATES": f"{ENVIRONMENT['SANSSOUCI_RATES']},guest=300/minute",
    "SANSSOUCI_ADDRESS_FACTOR": "1",
    "SANSSOUCI_TABLES_PER_GUEST": "60",
    "SANSSOUCI_SOCKETS_PER_GUEST": "200",
}
"""Without rate limits, which would refuse nearly everything. Other limits apply."""
MIB = 1 << 20


@dataclass
class Report:
    """The results of all attacks."""

    tally: Counter[str] = field(default_factory=Counter)
    quiet: list[float] = field(default_factory=list)
    """Seconds that honest commands took without an attack."""
    attacked: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    """MiB of the server, before and after each attack."""
    ran: float = 0.0
    """CPU seconds of the server under attack."""
    starved: float = 0.0
    """Seconds that the server waited for a CPU. If there are many, the times mean little."""
    sent: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """How much longer honest commands take under attack, at the 99th percentile."""
        return percentile(self.attacked, 99) / percentile(self.quiet, 99)


def percentile(values: list[float], percent: int) -> float:
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


@dataclass(frozen=True)
class FuzzPlan:
    """The size and timing of an attack."""

    messages: int
    attacks: int = 1
    quiet: int = 80
    """Honest commands that are timed before each attack."""
    rate: float = RATE
    games: int = GAMES
    seed: int = 1
    held: float = 8.0
    """Seconds for which some unfinished requests are kept open."""


class FuzzRun:
    """One server, from its start to the check of its data."""

    def __init__(
        self,
        folder: Path,
        plan: FuzzPlan,
        plant: Plant = Plant.NOTHING,
        progress: Progress = lambda text: None,
    ) -> None:
        (folder / "data").mkdir()
        self._server = planted_server(folder / "data" / "tables.db", folder / "log", plant, SETTINGS)
        self._plan = plan
        self._progress = progress
        self.report = Report()

    async def run(self) -> Report:
        with self._server:
            self._server.start()
            await self._server.listening()
            await self._wait_until_ready()
            honest = HonestClients(self._server.host, SeededRandom("honest", self._plan.seed))
            async with self._playing(honest):
                target = await self._target(honest)
                for number in range(self._plan.attacks):
                    await self._attack(honest, target, number)
            self.report.wrong += honest.wrong_answers
            self._server.stop()
        self._judge(honest)
        return self.report

    async def _wait_until_ready(self) -> None:
        """Wait until computer players are ready, as loading them takes a core."""
        client = self._server.client("127.0.0.3")
        async with asyncio.timeout(10 * TIMEOUT):
            while (await client.request("GET", "/ready")).status_code != 200:
                await asyncio.sleep(0.2)
        await client.close()

    @asynccontextmanager
    async def _playing(self, honest: HonestClients) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(honest.play_on()) for _ in range(self._plan.games)]
        try:
            yield
            for task in tasks:
                if task.done():
                    self.report.wrong.append(f"an honest game failed: {task.exception()!r}")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _target(self, honest: HonestClients) -> Target:
        """An account for the attacker, with a running game in which it has both chairs."""
        client = await self._server.client("127.0.0.3").as_guest("Mallory")
        table = await client.create_table("person", "person", edition="imperial", hints=False)
        self.report.tally.update({"made: guest": 1, "made: game": 1})
        for command in ({"type": "ready", "nonce": NONCE}, {"type": "pick", "side": 0}):
            for chair in range(2):
                seq = (await client.do(table, at=chair, **command))["seq"]
        games = self._plan.games
        await await_honest(lambda: len(honest.tables) >= games, f"no {games} honest games have begun")
        await client.close()
        token = client.headers["authorization"].removeprefix("Bearer ")
        return Target(self._server.host, tuple(honest.tables), table.id, token, table.join, seq)

    async def _attack(self, honest: HonestClients, target: Target, number: int) -> None:
        """Measure without an attack, then attack."""
        plan, report = self._plan, self.report
        report.memory.append(self._memory())
        honest.on_answer = report.quiet.append
        await _wait_for_times(report.quiet, len(report.quiet) + plan.quiet)
        messages = plan.messages // plan.attacks
        attack_plan = {
            "target": asdict(target),
            "messages": messages,
            "rate": plan.rate,
            "seed": plan.seed * 1000 + number,
            "held": plan.held,
        }
        async with _attacker() as attacker:
            ran, starved = self._cpu_times()
            honest.on_answer = report.attacked.append
            tally = await _attack(attacker, attack_plan)
            await _wait_for_times(report.attacked, 1)
        report.sent += tally.pop("sent")
        report.tally.update(tally)
        report.ran += self._cpu_times()[0] - ran
        report.starved += self._cpu_times()[1] - starved
        report.memory.append(self._memory())
        self._progress(
            f"{(number + 1) * messages:,} messages, p99 {percentile(report.quiet, 99) * 1000:.1f} ms quiet, "
            f"{percentile(report.attacked, 99) * 1000:.1f} ms under attack, {report.memory[-1]:.0f} MiB, "
            f"{report.ran / report.sent * 1000:.2f} ms of a core each, {report.starved:.0f} s without one"
        )

    def _memory(self) -> float:
        return psutil.Process(self._server.pid).memory_info().rss / MIB

    def _cpu_times(self) -> tuple[float, float]:
        """CPU seconds of the server's event loop, and seconds waiting for a CPU, according to Linux."""
        file = Path(f"/proc/{self._server.pid}/schedstat")
        ran, waited, _ = map(int, file.read_text().split()) if file.exists() else (0, 0, 0)
        return ran / 1e9, waited / 1e9

    def _judge(self, honest: HonestClients) -> None:
        report = self.report
        report.wrong += [
            f"{count} × {result}" for result, count in report.tally.items() if _is_failure(result)
        ]
        report.wrong += _failures(self._server.log)
        made = {what: report.tally[f"made: {what}"] for what in ("guest", "game")}
        report.wrong += check_data(self._server.data, honest, made["guest"], made["game"])


async def _wait_for_times(times: list[float], count: int) -> None:
    """Wait until so many honest commands were timed."""
    await await_honest(lambda: len(times) >= count, f"{count} honest commands were not timed", 10 * TIMEOUT)


async def await_honest(done: Callable[[], bool], otherwise: str, timeout: float = TIMEOUT) -> None:
    """Wait for honest clients. Raises ``AssertionError`` after the timeout."""
    try:
        async with asyncio.timeout(timeout):
            while not done():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"{otherwise} within {timeout:g} seconds") from None


def _is_failure(result: str) -> bool:
    """Whether a result is a server error, a missing answer, or access to another's table."""
    kind, _, outcome = result.rpartition(": ")
    if kind == "others' tables" and outcome.startswith("2"):
        return True
    return (
        outcome.isdigit() and (500 <= int(outcome) < 600 or int(outcome) == 1011)
    ) or outcome == "no answer"


def _failures(log: Path) -> list[str]:
    """Log lines about errors."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return [
        line[:2000]
        for line in lines
        if '"exception"' in line or '"level": "error"' in line or "Traceback" in line
    ]


@asynccontextmanager
async def _attacker() -> AsyncIterator[asyncio.subprocess.Process]:
    """A process that is ready to attack. It has a low priority, as a real attacker uses another computer."""
    process = await asyncio.create_subprocess_exec(
        *("nice", "-n", "10"),
        *(sys.executable, "-m", f"{__package__}.attacker"),
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        assert process.stdout is not None
        await process.stdout.readline()
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def _attack(attacker: asyncio.subprocess.Process, attack_plan: dict[str, object]) -> dict[str, int]:
    output, _ = await attacker.communicate(json.dumps(attack_plan).encode() + b"\n")
    tally: dict[str, int] = json.loads(output)
    return tally


_WITHOUT_CLIENT = ("create", "sit")
"""Events without a client's command id."""


def check_data(data: Path, honest: HonestClients, guests: int, games: int) -> list[str]:
    """All faults of a data file to which attackers have added so many guests and games."""
    with Store.open(data, create=False) as store:
        check_file(store)
        stored = list(store.all_games())
        wrong = [str(fault.user_error()) for game in stored for fault in audit(store, game)[1]]
        found, faults = check_guests(store)
        wrong += map(str, faults)
        if found != honest.guests + guests:
            wrong.append(f"there are {found} guests, not {honest.guests} and {guests}")
        if not len(honest.tables) <= len(stored) - games <= honest.requested:
            wrong.append(f"there are {len(stored)} games, not {len(honest.tables)} and {games}")
        for table in honest.tables:
            acknowledged = [entry for entry in honest.journal if entry.table == table]
            wrong += _compare(table, read_events(list(store.events(table))), acknowledged)
    return wrong


def _compare(table: str, events: list[Event], acknowledged: list[Acknowledged]) -> list[str]:
    """An honest game has the acknowledged events, and perhaps a last one of each chair that was cut off."""
    expected = [
        (entry.seq, entry.chair, entry.command_id, parse_command(entry.command)) for entry in acknowledged
    ]
    stored = [_as_acknowledged(event) for event in events if event.command.type not in _WITHOUT_CLIENT]
    last: dict[int | None, int] = {
        chair: seq for seq, chair, *_ in sorted(expected, key=lambda entry: entry[0])
    }
    cut_off = [entry for entry in stored if entry not in expected]
    chairs = [chair for _, chair, *_ in cut_off]
    is_same = (
        all(entry in stored for entry in expected)
        and all(seq > last.get(chair, -1) for seq, chair, *_ in cut_off)
        and len(set(chairs)) == len(chairs)
    )
    return [] if is_same else [f"{table} has changed"]


def _as_acknowledged(event: Event) -> tuple[int, int | None, str, object]:
    return event.seq, event.chair, event.command_id.rpartition(":")[2], event.command


def run(n: int, seed: int, progress: Progress = lambda text: None, timed: bool = True) -> Row:
    """Send ``n`` messages in all. The times of honest clients are judged only if ``timed``."""
    read = run_schema_tests(n // SCHEMA_EVERY, seed, progress)
    messages = n - read.requests
    attacks = max(1, round(messages / PER_ATTACK))
    attack = run_attack(FuzzPlan(messages, attacks, QUIET_COMMANDS, seed=seed), progress=progress)
    for text in (*read.wrong, *attack.wrong)[:_EXAMPLES]:
        progress(text)
    return row(attack, read, timed)


def run_attack(
    plan: FuzzPlan, plant: Plant = Plant.NOTHING, progress: Progress = lambda text: None
) -> Report:
    """Attack a temporary server."""
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        return asyncio.run(FuzzRun(Path(folder), plan, plant, progress).run())


def row(attack: Report, read: Findings, timed: bool = True) -> Row:
    wrong, grown = [*read.wrong, *attack.wrong], attack.memory[-1] - attack.memory[1]
    quiet, attacked = (percentile(times, 99) * 1000 for times in (attack.quiet, attack.attacked))
    measured = (
        f"{len(wrong)} wrong; {attack.sent:,} on the wire, {read.requests:,} by schemathesis; honest p99 "
        f"{quiet:.1f} ms quiet, {attacked:.1f} ms under attack ({attack.ratio:.2f} ×, "
        f"n = {len(attack.quiet):,} and {len(attack.attacked):,}); "
        f"server grew by {grown:.0f} MiB after the first attack, ran for {attack.ran:.0f} s under attack and "
        f"waited {attack.starved:.0f} s for a processor"
    )
    if wrong:
        measured += f"; first: {wrong[0][:300]}"
    good = not wrong and grown < MAX_GROWTH and (attack.ratio < MAX_RATIO or not timed)
    return Row(TEST, attack.sent + read.requests, measured, GOAL, good)
