"""docs/hosting.md says what is so: every setting, every figure, every address."""

import re
from pathlib import Path

from sanssouci.server import SETTINGS, bare_app
from sanssouci.server.ops.metrics import Metrics
from sanssouci.server.settings import Setting

PAGE = Path(__file__).parents[2] / "docs" / "hosting.md"
BEGIN = "<!-- settings: tests/server/test_hosting_page.py compares this table with server/settings.py -->\n"
END = "<!-- end of settings -->"


def settings_table() -> str:
    """All settings, as the page shows them."""
    head = "| Variable | Option | Description | Default |\n|---|---|---|---|\n"
    return head + "".join(map(_row, SETTINGS))


def _row(setting: Setting) -> str:
    option = f"`{setting.option} {setting.kind}`" if setting.option else ""
    default = re.sub(r",(?=\S)", ", ", setting.default)
    return f"| `{setting.variable}` | {option} | {setting.help} | {default} |\n"


def test_every_setting_is_on_the_page() -> None:
    """``python -m tests.server.test_hosting_page`` writes the table again."""
    assert f"{BEGIN}\n{settings_table()}\n{END}" in PAGE.read_text(encoding="utf-8")


def test_every_figure_on_the_page_is_measured() -> None:
    """And all of the server's own are told."""
    text = PAGE.read_text(encoding="utf-8")
    told = set(re.findall(r"`(sanssouci_[a-z_]+)`", text))
    measured = set(re.findall(r"# TYPE (sanssouci_\S+) ", Metrics().render().decode()))
    assert told == {name for name in measured if not name.endswith("_created")}


def test_every_address_on_the_page_is_answered() -> None:
    """With the method that it names, or by GET."""
    text = PAGE.read_text(encoding="utf-8")
    paths = bare_app().openapi()["paths"]
    routes = {(method.upper(), path) for path, methods in paths.items() for method in methods}
    told = re.findall(r"`(?:(GET|POST|DELETE) )?(/(?:api/)?[a-z]+)`", text)
    assert ("DELETE", "/api/me") in told and len(told) >= 4
    assert {(method or "GET", path) for method, path in told} <= routes


if __name__ == "__main__":
    old = PAGE.read_text(encoding="utf-8")
    before, rest = old.split(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}\n{settings_table()}\n{END}{rest.split(END)[1]}", encoding="utf-8")
