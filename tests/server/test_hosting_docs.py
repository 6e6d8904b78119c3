"""docs/hosting.md lists every setting and metric, and only existing routes."""

import re
from pathlib import Path

from sanssouci.server import SETTINGS, bare_app
from sanssouci.server.ops.metrics import Metrics
from sanssouci.server.settings import Setting

PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"
BEGIN = "<!-- settings: tests/server/test_hosting_docs.py compares this table with server/settings.py -->\n"
END = "<!-- end of settings -->"


def settings_table() -> str:
    """All settings as the Markdown table of the page."""
    head = "| Variable | Option | Description | Default |\n|---|---|---|---|\n"
    return head + "".join(map(_row, SETTINGS))


def _row(setting: Setting) -> str:
    option = f"`{setting.option} {setting.kind}`" if setting.option else ""
    default = re.sub(r",(?=\S)", ", ", setting.default)
    return f"| `{setting.variable}` | {option} | {setting.help} | {default} |\n"


def test_every_setting_is_on_the_page() -> None:
    """The page contains the table of settings; ``python -m tests.server.test_hosting_docs`` rewrites it."""
    assert f"{BEGIN}\n{settings_table()}\n{END}" in PAGE.read_text(encoding="utf-8")


def test_the_page_lists_every_metric() -> None:
    """The page names exactly the metrics of the server."""
    text = PAGE.read_text(encoding="utf-8")
    documented = set(re.findall(r"`(sanssouci_[a-z_]+)`", text))
    exported = set(re.findall(r"# TYPE (sanssouci_\S+) ", Metrics().render().decode()))
    assert documented == {name for name in exported if not name.endswith("_created")}


def test_routes_on_the_page_exist() -> None:
    """Every route that the page mentions exists, with the method given, by default GET."""
    text = PAGE.read_text(encoding="utf-8")
    paths = bare_app().openapi()["paths"]
    routes = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    documented = re.findall(r"`(?:(GET|POST|DELETE) )?(/(?:api/)?[a-z]+)`", text)
    assert ("DELETE", "/api/me") in documented and len(documented) >= 4
    assert {(method or "GET", path) for method, path in documented} <= routes


if __name__ == "__main__":
    old = PAGE.read_text(encoding="utf-8")
    before, rest = old.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{settings_table()}\n{END}{rest.split(END)[1]}", encoding="utf-8")
