"""Metrics: few labels, visible to the host only."""

import re

import pytest
from prometheus_client.parser import text_string_to_metric_families

from sanssouci.server.auth.tokens import Token
from sanssouci.server.middleware.access_log import AccessLog
from sanssouci.server.middleware.client_info import ClientInfo, ClientInfoMiddleware
from sanssouci.server.ops.metrics import Metrics, may_read_metrics
from sanssouci.workers import DoneJob

from ..harness.client import request_app
from ..harness.server import InProcessServer, with_server


def samples(metrics: Metrics) -> dict[str, float]:
    """All samples as Prometheus reads them."""
    families = text_string_to_metric_families(metrics.render().decode("utf-8"))
    return {
        sample.name + "".join(f" {key}={value}" for key, value in sorted(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


def test_every_metric_is_counted() -> None:
    """Every metric changes with its event."""
    metrics = Metrics(frozenset({"turn"}), frozenset({"accepted"}))
    metrics.request("GET", "/api/tables", 204, 0.02)
    metrics.command("turn", "accepted")
    metrics.job(DoneJob("turn", 0.3, 0.2, remote=True))
    metrics.workers(1, 2, {"play": 3})
    metrics.queue("store", 7)
    metrics.limited("create")
    metrics.sockets.inc()
    metrics.slow_readers.inc()
    metrics.tables.set(5)
    metrics.store_writes.observe(0.004)
    found = samples(metrics)
    for name, value in {
        "sanssouci_request_seconds_count method=GET route=/api/tables status=2xx": 1,
        "sanssouci_commands_total outcome=accepted type=turn": 1,
        "sanssouci_worker_job_seconds_count kind=turn": 1,
        "sanssouci_worker_wait_seconds_sum kind=turn": 0.2,
        "sanssouci_worker_jobs_total kind=turn place=remote": 1,
        "sanssouci_worker_processes place=remote": 2,
        "sanssouci_redis_jobs queue=play": 3,
        "sanssouci_queue_length queue=store": 7,
        "sanssouci_rate_limited_total limit=create": 1,
        "sanssouci_sockets": 1,
        "sanssouci_slow_readers_total": 1,
        "sanssouci_tables_loaded": 5,
        "sanssouci_store_write_seconds_count": 1,
    }.items():
        assert found[name] == value, name


def test_unknown_values_create_no_labels() -> None:
    """Methods, commands and paths made up by clients are counted as ``other``."""
    metrics = Metrics(frozenset({"turn"}), frozenset({"accepted"}))
    app = ClientInfoMiddleware(AccessLog(ClientInfoMiddleware(_nothing), metrics.request))
    for number in range(50):
        metrics.command(f"made up {number}", f"by somebody {number}")
        request_app(app, f"/path/{number}", method=f"METHOD{number}")
    found = samples(metrics)
    assert found["sanssouci_commands_total outcome=other type=other"] == 50
    assert found["sanssouci_request_seconds_count method=other route=- status=2xx"] == 50
    assert not re.search("made up|METHOD|path/", metrics.render().decode("utf-8"))


async def _nothing(_scope: object, _receive: object, send: object) -> None:
    await send({"type": "http.response.start", "status": 200})  # type: ignore[operator]
    await send({"type": "http.response.body"})  # type: ignore[operator]


def test_servers_have_separate_registries() -> None:
    """Metrics of one server do not affect another."""
    first, second = Metrics(), Metrics()
    first.tables.set(3)
    assert samples(second)["sanssouci_tables_loaded"] == 0


TOKEN = Token("the-hosts-own-secret")


@pytest.mark.parametrize(
    ("local", "authorization", "token", "may"),
    [
        (True, None, None, True),
        (True, "Bearer wrong", TOKEN, True),
        (False, None, None, False),
        (False, None, TOKEN, False),
        (False, "Bearer the-hosts-own-secret", TOKEN, True),
        (False, "bearer the-hosts-own-secret", TOKEN, True),
        (False, "Bearer the-hosts-own-secre", TOKEN, False),
        (False, "Basic the-hosts-own-secret", TOKEN, False),
        (False, "Bearer ", None, False),
        (False, "Bearer the-hosts-own-secret", None, False),
        (False, "Bearer \ud800", TOKEN, False),
    ],
)
def test_may_read_metrics(local: bool, authorization: str | None, token: Token | None, may: bool) -> None:
    """Metrics are readable locally or with the host's token; a public server requires the token."""
    caller = ClientInfo("192.0.2.1", True, local, "id")
    assert may_read_metrics(caller, authorization, token) is may
    public = authorization is not None and token is not None and token.is_text(authorization[7:])
    assert may_read_metrics(caller, authorization, token, public=True) is (may and public)


@with_server(public_url="https://play.example.org")
async def test_metrics_of_a_public_server_need_the_token(server: InProcessServer) -> None:
    """A public server refuses metrics even to local requests, which may come from a proxy."""
    assert (await server.client().request("GET", "/metrics")).status_code == 403
