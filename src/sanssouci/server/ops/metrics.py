"""Prometheus metrics. They are not public.

Every label has few values: routes are templates, and unknown values become ``other``.
"""

from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from sanssouci.workers import DoneJob

from ..auth.tokens import Token
from ..middleware.client_info import ClientInfo

CONTENT_TYPE = CONTENT_TYPE_LATEST
OTHER = "other"
_LOCAL, _REMOTE = "local", "remote"
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "SOCKET"})
_SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_THINKING = (0.01, 0.05, 0.1, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics:
    """All metrics of one server, in a registry of their own."""

    def __init__(
        self, commands: frozenset[str] = frozenset(), outcomes: frozenset[str] = frozenset()
    ) -> None:
        """``commands`` and ``outcomes`` are the allowed label values."""
        self._types = commands
        self._outcomes = outcomes
        registry = self._registry = CollectorRegistry()
        ProcessCollector(registry=registry)
        self._requests = Histogram(
            "sanssouci_request_seconds",
            "Duration of requests by method, route and status",
            ["method", "route", "status"],
            buckets=_SECONDS,
            registry=registry,
        )
        self._commands = Counter(
            "sanssouci_commands", "Commands by type and outcome", ["type", "outcome"], registry=registry
        )
        self.sockets = Gauge("sanssouci_sockets", "Open WebSockets", registry=registry)
        self.refused_sockets = Counter(
            "sanssouci_refused_sockets", "Sockets refused by a limit", ["limit"], registry=registry
        )
        self.slow_readers = Counter(
            "sanssouci_slow_readers", "Sockets closed because the client read too slowly", registry=registry
        )
        self.tables = Gauge("sanssouci_tables_loaded", "Tables in memory", registry=registry)
        self.store_writes = Histogram(
            "sanssouci_store_write_seconds",
            "Time from a write to its commit",
            buckets=_SECONDS,
            registry=registry,
        )
        self._queues = Gauge("sanssouci_queue_length", "Length of each queue", ["queue"], registry=registry)
        self._jobs = Histogram(
            "sanssouci_worker_job_seconds",
            "Duration of worker jobs by kind: turn, side, hint or review",
            ["kind"],
            buckets=_THINKING,
            registry=registry,
        )
        self._waits = Histogram(
            "sanssouci_worker_wait_seconds",
            "Time from a job's request to its start, by kind",
            ["kind"],
            buckets=_THINKING,
            registry=registry,
        )
        self._jobs_done = Counter(
            "sanssouci_worker_jobs",
            "Jobs done, by kind and place: local or remote",
            ["kind", "place"],
            registry=registry,
        )
        self._processes = Gauge(
            "sanssouci_worker_processes",
            "Worker processes that accept jobs, by place: local or remote",
            ["place"],
            registry=registry,
        )
        self._remote_jobs = Gauge(
            "sanssouci_redis_jobs",
            "Jobs of all servers in Redis, waiting or running, by queue",
            ["queue"],
            registry=registry,
        )
        self._redis = Gauge(
            "sanssouci_redis_connected",
            "Whether Redis answers, by purpose: bus or limits; 1 if none is configured",
            ["purpose"],
            registry=registry,
        )
        self._limited = Counter(
            "sanssouci_rate_limited", "Requests rejected by rate limits", ["limit"], registry=registry
        )

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a response: statuses as 2xx, 4xx and so on, WebSocket close codes as they are."""
        method = method if method in _METHODS else OTHER
        shown = f"{status // 100}xx" if status < 600 else str(status)
        self._requests.labels(method, route, shown).observe(seconds)

    def command(self, kind: str, outcome: str) -> None:
        kind = kind if kind in self._types else OTHER
        self._commands.labels(kind, outcome if outcome in self._outcomes else OTHER).inc()

    def job(self, done: DoneJob) -> None:
        self._jobs.labels(done.kind).observe(done.seconds)
        self._waits.labels(done.kind).observe(done.waited)
        self._jobs_done.labels(done.kind, _REMOTE if done.remote else _LOCAL).inc()

    def workers(self, local: int, remote: int, remote_jobs: Mapping[str, int]) -> None:
        self._processes.labels(_LOCAL).set(local)
        self._processes.labels(_REMOTE).set(remote)
        for queue, length in remote_jobs.items():
            self._remote_jobs.labels(queue).set(length)

    def redis(self, *, bus: bool, limits: bool) -> None:
        self._redis.labels("bus").set(bus)
        self._redis.labels("limits").set(limits)

    def queue(self, name: str, length: int) -> None:
        self._queues.labels(name).set(length)

    def limited(self, limit: str) -> None:
        self._limited.labels(limit).inc()

    def render(self) -> bytes:
        return generate_latest(self._registry)


def may_read_metrics(
    caller: ClientInfo, authorization: str | None, token: Token | None, *, public: bool = False
) -> bool:
    """Whether a client has the token, or is on this machine and not behind a proxy.

    A ``public`` server is behind a proxy, whose clients may look local.
    """
    scheme, _, said = (authorization or "").partition(" ")
    if token is not None and scheme.lower() == "bearer" and token.is_text(said.strip()):
        return True
    return caller.local and not public
