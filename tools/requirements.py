"""Checks that requirements*.txt fit pyproject.toml and constraints.txt: ``python -m tools.requirements``.

``make requirements`` writes requirements.txt: every package a host installs, with the hashes of its files;
and requirements-cluster.txt: the same with the extra ``cluster``, for hosts with several servers. This check
needs no network. It finds a dependency or a version that was changed in one of the files only.
"""

import re
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement as Specifier
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
FILES = {"requirements.txt": None, "requirements-cluster.txt": "cluster"}
"""The files of ``make requirements``, with the extra whose packages they contain."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """One package of a requirements file."""

    name: str
    version: str
    hashes: tuple[str, ...]
    parents: tuple[str, ...]
    """The packages that depend on it, from uv's comment ``# via``."""


def read_requirements(text: str) -> list[Requirement]:
    """The packages of a file that ``make requirements`` wrote."""
    return [
        Requirement(
            canonicalize_name(name),
            version,
            tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})\b", rest)),
            tuple(re.findall(r"(?:via|,) (?!-c)([\w.-]+)", rest)),
        )
        for name, version, rest in re.findall(r"^([\w.-]+)==(\S+)(.*(?:\n +.*)*)", text, re.MULTILINE)
    ]


def read_pins(lines: list[str]) -> dict[str, str]:
    """Versions by normalised name, from lines such as ``rich==15.0.0``."""
    pins = (line.partition("==") for line in lines if "==" in line)
    return {canonicalize_name(name): version.strip() for name, _, version in pins}


def problems(
    requirements: str, constraints: str, project: dict[str, Any], file: str = "requirements.txt"
) -> list[str]:
    """What does not fit, one sentence each."""
    extra = FILES[file]
    found = {one.name: one for one in read_requirements(requirements)}
    pins = read_pins(constraints.splitlines())
    optional = [] if extra is None else project["optional-dependencies"][extra]
    wanted = [Specifier(text) for text in (*project["dependencies"], *optional)]
    direct = {canonicalize_name(one.name) for one in wanted}
    told = [f"{name} is not in {file}" for name in sorted(direct - found.keys())]
    told += [
        f"{name} {found[name].version} is not what pyproject.toml wants: {one}"
        for one in wanted
        if (name := canonicalize_name(one.name)) in found and found[name].version not in one.specifier
    ]
    for one in found.values():
        pinned, parents = pins.get(one.name, "missing"), set(one.parents)
        if pinned != one.version:
            told.append(f"{one.name} is {one.version}, and {pinned} in constraints.txt")
        if not one.hashes:
            told.append(f"{one.name} has no hash")
        if (project["name"] in parents) != (one.name in direct) or not parents <= {project["name"], *found}:
            told.append(f"{one.name} is required by {', '.join(one.parents)}, unlike in pyproject.toml")
    if "://" in requirements:
        told.append(f"{file} names a host")
    return told


def main() -> int:
    constraints = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    outdated = False
    for file in FILES:
        told = problems((ROOT / file).read_text(encoding="utf-8"), constraints, project, file)
        for problem in told:
            print(problem, file=sys.stderr)
        if told:
            print(f"{file} is out of date; run make requirements", file=sys.stderr)
            outdated = True
    return int(outdated)


if __name__ == "__main__":
    sys.exit(main())
