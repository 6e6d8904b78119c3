"""A siege: hostile messages on the wire of a real server, while honest people play on it.

::

    Company (honest, timed) --> server <-- Attacker (another process)
                                  |
            no 5xx, no failure in its log, memory bounded, nothing in its data that nobody did
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psutil

from ..fault import Progress
from ..lot import Lot
from ..planted import Plant
from ..served import ROOT, Served
from .books import check_books
from .honest import Company
from .prey import Prey
from .wires import Wire

RATE = 350.0
"""Hostile messages a second."""
PATIENCE = 60.0
"""Seconds in which somebody honest must have played."""
GAMES = 10
"""Honest ones, at a time."""
SETTINGS = {
    "SANSSOUCI_RATES": ",".join(
        f"{bucket}=1000000/minute"
        for bucket in ("create", "join", "command", "socket", "dial", "read", "hint", "import", "request")
    )
    + ",guest=300/minute",
    "SANSSOUCI_ADDRESS_FACTOR": "1",
    "SANSSOUCI_TABLES_PER_GUEST": "60",
    "SANSSOUCI_SOCKETS_PER_GUEST": "200",
    "SANSSOUCI_CONNECTIONS_PER_ADDRESS": "100000",
}
"""Rates would turn nearly everything away at the door; here it shall come in. Other limits hold."""
MIB = 1 << 20


@dataclass
class Report:
    """What came of it."""

    tally: Counter[str] = field(default_factory=Counter)
    quiet: list[float] = field(default_factory=list)
    """Seconds that honest commands took, without an attack."""
    attacked: list[float] = field(default_factory=list)
    memory: list[float] = field(default_factory=list)
    """MiB of the server, before and after each attack."""
    ran: float = 0.0
    """Seconds for which the server had a processor, under attack."""
    starved: float = 0.0
    """And for which it waited for one, because other processes had them all: then no time is worth much."""
    sent: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """How much longer honest commands take under attack: 99 of 100."""
        return percentile(self.attacked, 99) / percentile(self.quiet, 99)


def percentile(values: list[float], percent: int) -> float:
    """The value that so many of a hundred do not exceed."""
    return sorted(values)[min(len(values) - 1, len(values) * percent // 100)]


@dataclass(frozen=True)
class Campaign:
    """How much is attacked, and when it is quiet."""

    messages: int
    attacks: int = 1
    quiet: float = 2.0
    """Seconds before each attack."""
    rate: float = RATE
    games: int = GAMES
    seed: int = 1
    held: float = 8.0
    """Seconds for which some requests that never end are left open."""


class Siege:
    """One server, from its start to the look into its books."""

    def __init__(
        self,
        folder: Path,
        campaign: Campaign,
        plant: Plant = Plant.NOTHING,
        progress: Progress = lambda text: None,
    ) -> None:
        (folder / "data").mkdir()
        self._served = Served(folder / "data" / "tables.db", folder / "log", plant, SETTINGS)
        self._campaign = campaign
        self._progress = progress
        self.report = Report()

    async def run(self) -> Report:
        """Attack and judge."""
        with self._served:
            self._served.start()
            await self._served.opened()
            await self._ready()
            company = Company(self._served.place, Lot("honest", self._campaign.seed))
            async with self._playing(company):
                prey = await self._prey(company)
                for number in range(self._campaign.attacks):
                    await self._attack(company, prey, number)
            self.report.wrong += company.user_errors
            self._served.stop()
        self._judge(company)
        return self.report

    async def _ready(self) -> None:
        """Wait until computer players can play: while they get ready, they take a core."""
        wire = Wire(self._served.place, "127.0.0.3")
        while (await wire.ask("GET", "/ready", {}))["status"] != 200:
            await asyncio.sleep(0.2)
        wire.close()

    @asynccontextmanager
    async def _playing(self, company: Company) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(company.play_on()) for _ in range(self._campaign.games)]
        try:
            yield
            for task in tasks:
                if task.done():
                    self.report.wrong.append(f"an honest game has ended: {task.exception()!r}")
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _prey(self, company: Company) -> Prey:
        """An account for the attacker, with a game that has begun, both of whose chairs it has."""
        wire = Wire(self._served.place, "127.0.0.3")
        token = (await wire.ask("POST", "/api/guests", {"name": "Mallory", "cookie": False}))["token"]
        wanted = {"chairs": [{"sitter": "person"}] * 2, "edition": "imperial", "hints": False}
        made = await wire.ask("POST", "/api/tables", wanted, token)
        self.report.tally.update({"made: guest": 1, "made: game": 1})
        path, seq = f"/api/tables/{made['table']}/commands", 0
        for command in ({"type": "ready", "nonce": "00" * 8}, {"type": "pick", "side": 0}):
            for chair in range(2):
                order = {"command_id": f"m{seq}", "expected_seq": seq, "command": command, "chair": chair}
                seq = (await wire.ask("POST", path, order, token))["seq"]
        games = self._campaign.games
        await await_honest(lambda: len(company.tables) >= games, f"no {games} honest games have begun")
        wire.close()
        return Prey(self._served.place, tuple(company.tables), made["table"], token, made["join"], seq)

    async def _attack(self, company: Company, prey: Prey, number: int) -> None:
        """First a quiet time, then the attack."""
        campaign, report = self._campaign, self.report
        report.memory.append(self._memory())
        company.timed = report.quiet.append
        await asyncio.sleep(campaign.quiet)
        await _some(report.quiet)
        company.timed = report.attacked.append
        messages = campaign.messages // campaign.attacks
        orders = {
            "prey": asdict(prey),
            "messages": messages,
            "rate": campaign.rate,
            "seed": campaign.seed * 1000 + number,
            "held": campaign.held,
        }
        ran, starved = self._scheduled()
        tally = await _attacker(orders)
        await _some(report.attacked)
        report.sent += tally.pop("sent")
        report.tally.update(tally)
        report.ran += self._scheduled()[0] - ran
        report.starved += self._scheduled()[1] - starved
        report.memory.append(self._memory())
        self._progress(
            f"{(number + 1) * messages:,} messages, p99 {percentile(report.quiet, 99) * 1000:.1f} ms quiet, "
            f"{percentile(report.attacked, 99) * 1000:.1f} ms under attack, {report.memory[-1]:.0f} MiB, "
            f"{report.ran / report.sent * 1000:.2f} ms of a core each, {report.starved:.0f} s without one"
        )

    def _memory(self) -> float:
        return psutil.Process(self._served.pid).memory_info().rss / MIB

    def _scheduled(self) -> tuple[float, float]:
        """Seconds for which the server's event loop has run, and waited for a processor, as Linux counts."""
        file = Path(f"/proc/{self._served.pid}/schedstat")
        ran, waited, _ = map(int, file.read_text().split()) if file.exists() else (0, 0, 0)
        return ran / 1e9, waited / 1e9

    def _judge(self, company: Company) -> None:
        report = self.report
        report.wrong += [f"{count} × {what}" for what, count in report.tally.items() if _is_failure(what)]
        report.wrong += _failures(self._served.log)
        made = {what: report.tally[f"made: {what}"] for what in ("guest", "game")}
        report.wrong += check_books(self._served.data, company, made["guest"], made["game"])


async def _some(times: list[float]) -> None:
    """Wait until somebody has played: where all think at first, a short time has no turn in it."""
    await await_honest(lambda: bool(times), "no honest command was answered")


async def await_honest(done: Callable[[], bool], otherwise: str, patience: float = PATIENCE) -> None:
    """Wait for honest people; ``AssertionError`` with a sentence if they do not get on."""
    try:
        async with asyncio.timeout(patience):
            while not done():
                await asyncio.sleep(0.01)
    except TimeoutError:
        raise AssertionError(f"{otherwise} within {patience:g} seconds") from None


def _is_failure(what: str) -> bool:
    """An answer that says that it is the server's own fault, or none at all, or a yes to a stranger."""
    kind, _, outcome = what.rpartition(": ")
    if kind == "others' tables" and outcome.startswith("2"):
        return True
    return (
        outcome.isdigit() and (500 <= int(outcome) < 600 or int(outcome) == 1011)
    ) or outcome == "no answer"


def _failures(log: Path) -> list[str]:
    """Lines that a server should not have had to write."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    return [
        line[:2000]
        for line in lines
        if '"exception"' in line or '"level": "error"' in line or "Traceback" in line
    ]


async def _attacker(orders: dict[str, object]) -> dict[str, int]:
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        f"{__package__}.attacker",
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    said, _ = await process.communicate(json.dumps(orders).encode() + b"\n")
    tally: dict[str, int] = json.loads(said)
    return tally
