"""Versions and hashes of what is installed and built, and the SBOM that lists it."""

import json
import re
import tomllib
from importlib.metadata import requires
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.requirements import FILES, problems, read_pins, read_requirements
from tools.sbom import make_sbom

from .test_pages_build import BUILD

ROOT = Path(__file__).parent.parent
REQUIREMENTS = (ROOT / "requirements.txt").read_text(encoding="utf-8")
CONSTRAINTS = (ROOT / "constraints.txt").read_text(encoding="utf-8")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
DEPENDENCIES = PYPROJECT["project"]["dependencies"]
SCHEMAS = files("cyclonedx.schema") / "_res"


def without_hashes(name: str) -> str:
    """requirements.txt without the hashes of a package."""
    return re.sub(rf"(^{name}==\S+) (?:\\\n +--hash\S+ ?)+", r"\1", REQUIREMENTS, flags=re.MULTILINE)


@pytest.mark.parametrize("file", FILES)
def test_requirements_fit_the_project(file: str) -> None:
    """Run ``make requirements`` after changing a dependency."""
    assert problems((ROOT / file).read_text(encoding="utf-8"), CONSTRAINTS, PYPROJECT["project"], file) == []


def test_requirements_of_the_cluster_are_those_of_a_host_and_more() -> None:
    """The packages of PostgreSQL and Redis are missing from requirements.txt, and no version differs."""
    file = "requirements-cluster.txt"
    told = problems(REQUIREMENTS, CONSTRAINTS, PYPROJECT["project"], file)
    assert told == [f"{name} is not in {file}" for name in ("psycopg", "redis", "streaq")]
    host, cluster = (set(read_requirements((ROOT / name).read_text(encoding="utf-8"))) for name in FILES)
    pins = {(one.name, one.version, one.hashes) for one in cluster}
    assert {(one.name, one.version, one.hashes) for one in host} < pins


@pytest.mark.parametrize(
    ("requirements", "constraints", "dependencies", "problem"),
    [
        (without_hashes("rich"), CONSTRAINTS, DEPENDENCIES, "rich has no hash"),
        (
            REQUIREMENTS.replace("mdurl==", "mdurl2=="),
            CONSTRAINTS,
            DEPENDENCIES,
            "mdurl2 is 0.1.2",
        ),
        (REQUIREMENTS, CONSTRAINTS.replace("rich==", "rich==99."), DEPENDENCIES, "rich is "),
        (REQUIREMENTS, CONSTRAINTS, [*DEPENDENCIES, "flask>=3"], "flask is not in requirements.txt"),
        (
            REQUIREMENTS,
            CONSTRAINTS,
            [*DEPENDENCIES, "rich>=99"],
            "pyproject.toml wants: rich>=99",
        ),
        (REQUIREMENTS, CONSTRAINTS, [*DEPENDENCIES, "mdurl"], "mdurl is required by markdown-it-py"),
        (REQUIREMENTS, CONSTRAINTS, [], "alembic is required by sanssouci-game"),
        (f"--index-url https://example.org\n{REQUIREMENTS}", CONSTRAINTS, DEPENDENCIES, "names a host"),
    ],
)
def test_requirements_that_do_not_fit(
    requirements: str, constraints: str, dependencies: list[str], problem: str
) -> None:
    """No hash, another version, a dependency more or less, a registry: each is named."""
    project = PYPROJECT["project"] | {"dependencies": dependencies}
    assert any(problem in one for one in problems(requirements, constraints, project))


def test_a_build_installs_exact_versions() -> None:
    """Hatchling, Node, the writer of the SBOM and all they depend on, as in constraints.txt."""
    hatchling, sbom = PYPROJECT["build-system"]["requires"], list(BUILD.SBOM_PACKAGES)
    pins = read_pins(CONSTRAINTS.splitlines())
    for one in (*hatchling, *sbom, BUILD.NODE_PACKAGE):
        name, _, version = one.partition("==")
        assert pins[canonicalize_name(name)] == version, one
    assert closure("hatchling") == read_pins(hatchling).keys() - {"editables"}
    assert closure("cyclonedx-python-lib") <= read_pins(sbom).keys()


def closure(name: str) -> set[str]:
    """A package that is installed here, and all that it depends on."""
    found = {name}
    for one in map(Requirement, requires(name) or ()):
        if one.marker is None or one.marker.evaluate({"extra": ""}):
            found |= closure(canonicalize_name(one.name))
    return found


def schema_errors(document: Any) -> list[str]:
    """What CycloneDX 1.6 does not allow."""
    names = [f"{part}.SNAPSHOT.schema.json" for part in ("bom-1.6", "spdx", "jsf-0.82")]
    schemas = [json.loads((SCHEMAS / name).read_bytes()) for name in names]
    addresses = [f"http://cyclonedx.org/schema/{name}" for name in names]
    registry = jsonschema_rs.Registry(list(zip(addresses, schemas, strict=True)))
    validator = jsonschema_rs.validator_for(schemas[0], registry=registry)
    return [error.message for error in validator.iter_errors(document)]


def test_the_sbom_lists_what_is_installed_and_bundled() -> None:
    """Every Python package of requirements.txt, and every npm package in the pages with its licence."""
    text = make_sbom()
    assert text == make_sbom(), "it is reproducible"
    document = json.loads(text)
    assert schema_errors(document) == []
    listed = {one["purl"]: one for one in document["components"]}
    locked = json.loads((ROOT / "web" / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    npm = {
        "/".join(filter(None, (one.get("group"), one["name"]))): one
        for purl, one in listed.items()
        if purl.startswith("pkg:npm/")
    }
    assert npm.keys() >= {"svelte", "uqr", "@noble/hashes", "@fontsource-variable/alegreya"}
    for name, one in npm.items():
        assert one["version"] == locked[f"node_modules/{name}"]["version"]
        assert one["licenses"] == [{"license": {"id": locked[f"node_modules/{name}"]["license"]}}]
    python = {f"pkg:pypi/{one.name}@{one.version}" for one in read_requirements(REQUIREMENTS)}
    assert listed.keys() - {one["purl"] for one in npm.values()} == python
    graph = {one["ref"]: one.get("dependsOn", []) for one in document["dependencies"]}
    assert len(graph[document["metadata"]["component"]["bom-ref"]]) == len(npm) + len(DEPENDENCIES)


def test_a_wrong_sbom_is_found() -> None:
    """The schema is really used: a component without a name, and a licence that does not exist."""
    document = json.loads(make_sbom())
    del document["components"][0]["name"]
    document["components"][1]["licenses"] = [{"license": {"id": "nonsense"}}]
    assert len(schema_errors(document)) == 2


def test_workflows_name_actions_by_commit() -> None:
    """A tag can be moved to other code; a commit cannot."""
    workflows = "".join(path.read_text(encoding="utf-8") for path in (ROOT / ".github").rglob("*.yml"))
    used = re.findall(r"uses: (\S+)", workflows)
    assert [one for one in used if not re.search(r"@[0-9a-f]{40}$", one)] == []
