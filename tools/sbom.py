"""Writes the SBOM, a list of all third-party components in CycloneDX: ``python -m tools.sbom FILE``.

It contains the Python packages of requirements.txt, which a host installs, and the npm packages that Vite
bundled into the pages (``static/licences.json``). The same input gives the same bytes, without a timestamp.
"""

import json
import sys
import tomllib
import uuid
from pathlib import Path

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

from .requirements import read_requirements

ROOT = Path(__file__).resolve().parent.parent


def component(registry: str, name: str, version: str, licence: str = "") -> Component:
    """A package; that of npm may have a scope: ``@scope/name``."""
    scope, _, short = name.rpartition("/")
    purl = PackageURL(registry, scope or None, short, version)
    return Component(
        name=short,
        group=scope or None,
        version=version,
        purl=purl,
        bom_ref=str(purl),
        licenses=[LicenseFactory().make_from_string(licence)] if licence else [],
    )


def make_sbom(root: Path = ROOT) -> str:
    """The SBOM as JSON; without npm packages if the pages were not built."""
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = read_requirements((root / "requirements.txt").read_text(encoding="utf-8"))
    bundled = root / "src" / "sanssouci" / "static" / "licences.json"
    npm = [
        component("npm", one["name"], one["version"], one.get("identifier", ""))
        for one in (json.loads(bundled.read_bytes()) if bundled.exists() else ())
    ]
    python = {one.name: component("pypi", one.name, one.version) for one in requirements}
    own = component("pypi", project["name"], project["version"], project["license"])
    own.type = ComponentType.APPLICATION
    bom = Bom(components=[*python.values(), *npm])
    bom.metadata.component = own
    bom.register_dependency(own, npm)
    for one in requirements:
        for parent in one.parents:
            bom.register_dependency(python.get(parent, own), [python[one.name]])
    bom.serial_number = uuid.uuid5(
        uuid.NAMESPACE_URL, " ".join(sorted(str(one.purl) for one in bom.components))
    )
    document = json.loads(JsonV1Dot6(bom).output_as_string())
    del document["metadata"]["timestamp"]
    return json.dumps(document, indent=2, sort_keys=True) + "\n"


def main(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(make_sbom(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
