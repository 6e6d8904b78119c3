"""The files in deploy/: what they name exists, and the commands of the container work without one."""

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main
import yaml

from sanssouci.cli.app import app
from sanssouci.server import drain
from sanssouci.server.ops.metrics import Metrics
from sanssouci.server.run import SHUTDOWN_GRACE
from sanssouci.server.settings import Settings
from sanssouci.workers import DoneJob

from .harness.process import ServerProcess

DEPLOY = Path(__file__).parent.parent / "deploy"
DOCKERFILE = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")


def dashboard() -> dict[str, Any]:
    document: dict[str, Any] = json.loads((DEPLOY / "grafana-dashboard.json").read_text(encoding="utf-8"))
    return document


def named_metrics(text: str) -> set[str]:
    return set(re.findall(r"\b(?:sanssouci|process)_[a-z_]+", text))


def exported_metrics() -> set[str]:
    """The names of all time series, which need a value of each label to appear."""
    metrics = Metrics(frozenset({"play"}), frozenset({"done"}))
    metrics.request("GET", "/", 200, 0.0)
    metrics.command("play", "done")
    metrics.job(DoneJob("turn", 0.0, 0.0, remote=False))
    metrics.workers(1, 1, {"play": 0})
    metrics.queue("turns", 0)
    metrics.limited("read")
    metrics.refused_sockets.labels("sockets").inc()
    lines = metrics.render().decode().splitlines()
    return {re.split(r"[{ ]", line)[0] for line in lines if not line.startswith("#")}


def test_the_dashboard_names_metrics_that_exist() -> None:
    """Every metric of the dashboard is exported, and every exported one of ours is on it."""
    expressions = [target["expr"] for panel in dashboard()["panels"] for target in panel["targets"]]
    named, exported = named_metrics(" ".join(expressions)), exported_metrics()
    assert named - exported == set()
    families = {re.sub(r"_(bucket|count|sum|created|total)$", "", name) for name in exported}
    shown = {re.sub(r"_(bucket|count|sum|total)$", "", name) for name in named}
    assert {name for name in families - shown if name.startswith("sanssouci_")} == set()
    assert named_metrics("rate(sanssouci_nonsense_total[1m])") - exported == {"sanssouci_nonsense_total"}


def test_the_dashboard_uses_labels_that_exist() -> None:
    """Labels in expressions are labels of the metrics, or of Prometheus itself."""
    text = " ".join(target["expr"] for panel in dashboard()["panels"] for target in panel["targets"])
    used = {label.strip() for group in re.findall(r"by \(([^)]*)\)", text) for label in group.split(",")}
    known = {"instance", "le", "method", "route", "status", "outcome", "queue", "kind", "limit", "place"}
    assert used <= known, used - known


def test_panels_do_not_overlap() -> None:
    """Every panel has its own id and place."""
    panels = dashboard()["panels"]
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in panels]
    assert len(set(places)) == len(places) == len({panel["id"] for panel in panels})


def instruction(name: str) -> list[str]:
    """The words of an instruction of the server's stage in the JSON form."""
    stage = DOCKERFILE.split(" AS server\n")[1].split("\nFROM ")[0].replace("\\\n", " ")
    words: list[str] = json.loads(re.findall(rf"^{name}.*?(\[.*\])$", stage, re.MULTILINE)[-1])
    return words


def test_images_are_pinned_and_do_not_run_as_root() -> None:
    """Images have exact versions; each final stage has a numeric user."""
    images = re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE)
    assert len(images) == 3 and all(re.search(r":\d+\.\d+\.\d+-", image) for image in images)
    for stage in re.split(r"^FROM ", DOCKERFILE, flags=re.MULTILINE)[2:]:
        assert re.findall(r"^USER (\d+):\d+$", stage, re.MULTILINE)[-1] != "0"


def test_variables_of_the_container_are_settings() -> None:
    """The image sets only variables that the server knows."""
    known = {f"SANSSOUCI_{name.upper()}" for name in Settings.__dataclass_fields__}
    named = set(re.findall(r"^    (SANSSOUCI_[A-Z_]+)=", DOCKERFILE, re.MULTILINE))
    assert named and named <= known


def test_the_commands_of_the_container(tmp_path: Path) -> None:
    """The health check succeeds while the server is ready, and fails once it is gone."""
    assert instruction("ENTRYPOINT") == ["sanssouci"] and instruction("CMD") == ["serve"]
    with ServerProcess(tmp_path / "tables.db", tmp_path / "log") as server:
        server.start()
        server.wait_until_ready()
        program, *words = instruction("HEALTHCHECK")
        assert program == "python"
        check = [sys.executable, *(word.replace("127.0.0.1:8017", server.host) for word in words)]
        assert server.host in check[-1]
        assert subprocess.run(check, check=False, capture_output=True).returncode == 0
        server.kill()
        assert subprocess.run(check, check=False, capture_output=True).returncode == 1


@pytest.mark.parametrize("name", ["Caddyfile", "Dockerfile.dockerignore"])
def test_files_that_the_image_needs(name: str) -> None:
    """The files that Docker reads by name are there, and braces of the Caddyfile are balanced."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    assert text.strip() and text.count("{") == text.count("}")


def services() -> dict[str, Any]:
    document = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    found: dict[str, Any] = document["services"]
    return found


@pytest.mark.parametrize("name", services())
def test_services_are_hardened(name: str) -> None:
    """No service is root or can write to its image; each has a pinned image and a health check."""
    service = services()[name]
    assert service["read_only"] is True and service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"] and "healthcheck" in service
    assert re.search(r":\d+\.\d+", service["image"])
    if "build" in service:
        stage = DOCKERFILE.split(f" AS {service['build']['target']}\n")[1].split("\nFROM ")[0]
        assert re.search(r"^USER [1-9]\d*:", stage, re.MULTILINE)
    else:
        assert int(service["user"].split(":")[0]) > 0


def test_services_use_settings_and_commands_that_exist() -> None:
    """Variables are settings of the server, and commands are commands of the program."""
    known = {f"SANSSOUCI_{name.upper()}" for name in Settings.__dataclass_fields__}
    program: Any = typer.main.get_command(app)
    ours = [service for service in services().values() if service.get("build", {}).get("target") == "server"]
    assert len(ours) >= 2
    for service in ours:
        assert {name for name in service["environment"] if name.startswith("SANSSOUCI_")} <= known
        assert service.get("command", ["serve"])[0] in program.commands


def test_the_proxy_knows_every_server() -> None:
    """The list of servers for Caddy names services of the file, and all that serve."""
    listed = services()["proxy"]["environment"]["SANSSOUCI_SERVERS"].split()
    serving = [
        f"{name}:8017"
        for name, service in services().items()
        if service.get("build", {}).get("target") == "server" and "command" not in service
    ]
    assert listed == serving


def seconds(text: str) -> int:
    found = re.fullmatch(r"(\d+)s", text)
    assert found is not None, text
    return int(found[1])


SPARE = 10
"""Seconds for a slow machine, before a server is killed."""


def time_to_stop(drain_seconds: int) -> int:
    """At most: commands in progress, requests, and worker processes follow the draining."""
    return drain_seconds + int(drain._COMMAND_TIMEOUT) + 2 * SHUTDOWN_GRACE


def test_a_server_stops_after_the_proxy_has_noticed() -> None:
    """Each server drains for longer than Caddy takes to notice, and ends by itself before it is killed."""
    proxy = (DEPLOY / "Caddyfile").read_text(encoding="utf-8")
    found = {name: seconds(text) for name, text in re.findall(r"(health_\w+) (\d+s)", proxy)}
    assert "health_uri /ready" in proxy and found.keys() == {"health_interval", "health_timeout"}
    for name in ("server-1", "server-2"):
        service = services()[name]
        draining = int(service["environment"]["SANSSOUCI_DRAIN_SECONDS"])
        assert sum(found.values()) < draining
        assert time_to_stop(draining) + SPARE <= seconds(service["stop_grace_period"])


def test_a_pod_stops_after_the_proxies_have_noticed() -> None:
    """A new pod is ready before an old one stops, which drains and ends by itself before it is killed."""
    server, _ = kubernetes("Deployment")
    (config,) = kubernetes("ConfigMap")
    pod = server["spec"]["template"]["spec"]
    draining = int(config["data"]["SANSSOUCI_DRAIN_SECONDS"])
    assert server["spec"]["strategy"]["rollingUpdate"] == {"maxUnavailable": 0, "maxSurge": 1}
    assert draining >= 5
    assert time_to_stop(draining) + SPARE <= pod["terminationGracePeriodSeconds"]


def test_the_worker_has_no_access_to_the_database() -> None:
    """It needs Redis alone; its health check is a command of the program."""
    worker = services()["worker"]
    assert worker["environment"].keys() == {"SANSSOUCI_REDIS"}
    assert worker["healthcheck"]["test"] == ["CMD", "sanssouci", "worker", "--check"]


def kubernetes(kind: str) -> list[dict[str, Any]]:
    documents = yaml.safe_load_all((DEPLOY / "kubernetes.yaml").read_text(encoding="utf-8"))
    return [document for document in documents if document["kind"] == kind]


@pytest.mark.parametrize("deployment", kubernetes("Deployment"), ids=lambda found: found["metadata"]["name"])
def test_pods_are_hardened(deployment: dict[str, Any]) -> None:
    """No pod is root, can write to its image or call the cluster; each has probes and a pinned image."""
    pod = deployment["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    program: Any = typer.main.get_command(app)
    assert container["args"][0] in program.commands
    assert pod["securityContext"]["runAsNonRoot"] is True and pod["automountServiceAccountToken"] is False
    user = f"USER {pod['securityContext']['runAsUser']}:{pod['securityContext']['runAsGroup']}"
    assert user in DOCKERFILE
    assert container["securityContext"] == {
        "readOnlyRootFilesystem": True,
        "allowPrivilegeEscalation": False,
        "capabilities": {"drop": ["ALL"]},
    }
    assert {mount["name"] for mount in container["volumeMounts"]} == {one["name"] for one in pod["volumes"]}
    assert "readinessProbe" in container and re.search(r":\d+\.\d+\.\d+$", container["image"])
    labels = deployment["spec"]["template"]["metadata"]["labels"]
    assert deployment["spec"]["selector"]["matchLabels"] == labels


def test_objects_on_kubernetes_refer_to_each_other() -> None:
    """Settings exist, probes use the public name, and the ingress leads to the servers."""
    known = {f"SANSSOUCI_{name.upper()}" for name in Settings.__dataclass_fields__}
    (config,), (service,), (ingress,) = map(kubernetes, ("ConfigMap", "Service", "Ingress"))
    assert config["data"].keys() <= known
    server, worker = (one["spec"]["template"] for one in kubernetes("Deployment"))
    assert service["spec"]["selector"] == server["metadata"]["labels"] != worker["metadata"]["labels"]
    (rule,) = ingress["spec"]["rules"]
    (path,) = rule["http"]["paths"]
    assert path["backend"]["service"]["name"] == service["metadata"]["name"]
    assert config["data"]["SANSSOUCI_PUBLIC_URL"] == f"https://{rule['host']}"
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        (host,) = server["spec"]["containers"][0][probe]["httpGet"]["httpHeaders"]
        assert host == {"name": "Host", "value": rule["host"]}
    (variable,) = worker["spec"]["containers"][0]["env"]
    assert variable["name"] == variable["valueFrom"]["secretKeyRef"]["key"] == "SANSSOUCI_REDIS"
