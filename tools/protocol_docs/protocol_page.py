"""Writes docs/protocol.md from the hand-written template ``protocol_page.md`` and from the code.

``python -m tools.protocol_docs.protocol_page docs`` writes the page into a folder that has the transcript.
A line ``{{name words}}`` of the template is replaced with the output of the function of that name, called
with the words.
"""

import json
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from sanssouci.server.app import bare_app
from sanssouci.server.rate_limits import ADDRESS_FACTOR, BY_ADDRESS, DEFAULT_RATES, write_rates
from sanssouci.server.settings import SETTINGS, Settings
from sanssouci.server.wire.openapi import CLOSINGS, SOCKET, operations
from sanssouci.server.wire.route_docs import MEANINGS
from sanssouci.table.staleness import TOLERANCES

from .json_text import json_text
from .schema_tables import code_table, route_section, schema_table, table

Json = dict[str, Any]

NAME = "protocol"
TRANSCRIPT, PAGE = f"{NAME}-transcript.jsonl", f"{NAME}.md"
_PLACE = re.compile(r"^\{\{(\w+) ?([^}]*)\}\}\n", re.MULTILINE)
_LIMITS = (
    "max_message",
    "max_import",
    "tables_per_guest",
    "seats_per_guest",
    "sockets_per_guest",
    "sockets_per_address",
    "megabytes_per_address",
    "lobby_days",
    "solo_lobby_hours",
    "reviews_per_guest",
    "watchers_per_table",
    "outbox_messages",
    "outbox_bytes",
)
_CONTENTS = "{{contents}}\n"
_HEADING = re.compile(r"^(#{2,4}) (.*)$", re.MULTILINE)
_PROOF = """```python
>>> import hashlib, json
>>> def commitment(table: str, seed: str) -> str:
...     text = json.dumps(["sanssouci fair/3 commitment", table, seed], separators=(",", ":"))
...     return hashlib.sha256(text.encode("ascii")).hexdigest()
>>> commitment("{table}", "{seed}")
'{commitment}'

```
"""


class Page:
    """The page, with what it is made from."""

    def __init__(self, transcript: list[Json]) -> None:
        self._document = bare_app().openapi()
        self._transcript = transcript

    def write(self, template: str) -> str:
        """The template with every place filled."""
        makers: dict[str, Callable[..., str]] = {
            "routes": self._routes,
            "models": self._models,
            "more": self._more,
            "codes": lambda *words: code_table(self._document, *words),
            "statuses": self._statuses,
            "closings": self._closings,
            "rates": self._rates,
            "limits": self._limits,
            "said": self._said,
            "view": self._view,
            "commitment": self._commitment,
            "staleness": self._staleness,
            "contents": lambda: _CONTENTS,  # written last, from all headings
        }
        page = _PLACE.sub(lambda place: makers[place[1]](*place[2].split()), template)
        return page.replace(_CONTENTS, _contents(page))

    def _routes(self, tag: str) -> str:
        found = [route for route, described in operations(self._document).items() if tag in described["tags"]]
        return "\n".join(route_section(self._document, *route) for route in found)

    def _models(self, *names: str) -> str:
        return "\n".join(schema_table(self._document, name) for name in names)

    def _more(self, common: str, *names: str) -> str:
        """Schemas without the fields that they have in common with one."""
        return "\n".join(schema_table(self._document, name, common) for name in names)

    def _statuses(self) -> str:
        return table(("Status", "Meaning"), [(str(status), text) for status, text in MEANINGS.items()])

    def _closings(self) -> str:
        return table(("Code", "Reason"), [(str(code), text) for code, text in sorted(CLOSINGS.items())])

    def _rates(self) -> str:
        rows = [tuple(rate.split("=")) for rate in write_rates(DEFAULT_RATES).split(",")]
        counted = operations(self._document).items()
        uses = {
            name: ", ".join(
                f"{method} {path}" for (method, path), route in counted if route.get("x-rate") == name
            )
            for name, _ in rows
        }
        uses["command"] += ", and every command on a socket"
        uses["dial"] = SOCKET
        uses["request"] = "every request and socket, before it is read"
        return table(
            ("Rate limit", "Per guest", "Per address", "Applies to"),
            [(f"`{name}`", _per_guest(name, rate), _times(rate), uses[name]) for name, rate in rows],
        )

    def _limits(self) -> str:
        values = {field.name: field.default for field in fields(Settings)}
        rows = [(f"{values[line.name]:,}", line.help) for line in SETTINGS if line.name in _LIMITS]
        return table(("Default", "Limit"), rows)

    def _staleness(self) -> str:
        rows = [
            (f"`{kind.type}`", ", ".join(f"`{event.type}`" for event in rule.events), rule.reason)
            for kind, rule in TOLERANCES.items()
        ]
        return table(("Command", "Not stale after", "Reason"), rows)

    def _said(self, *steps: str) -> str:
        """Steps of the transcript without views; a message to several people in a row is shown once."""
        shown: list[tuple[str, str]] = []
        for line in self._transcript:
            if line["step"] in steps:
                head, body = _shown(line)
                if "hear" in line and shown and shown[-1][1] == body:
                    head = f"{shown.pop()[0]} and {line['who']}"
                shown.append((head, body))
        return "```\n" + "\n\n".join(f"{head}\n{body}" for head, body in shown) + "\n```\n"

    def _view(self, step: str, who: str, part: str = "") -> str:
        """The last view that somebody gets in a step, in full or a part of it."""
        updates = [
            line["hear"]
            for line in self._transcript
            if line["step"] == step and line["who"] == who and "hear" in line
        ]
        view = updates[-1]["view"]
        return "```json\n" + json_text(view[part] if part else view) + "\n```\n"

    def _commitment(self) -> str:
        """The command that checks the commitment, for the game of the transcript."""
        heard = [line["hear"] for line in self._transcript if line["step"] == "over" and "hear" in line]
        view = heard[-1]["view"]
        return _PROOF.format(
            table=view["table"], seed=view["ending"]["fair"]["seed"], commitment=view["commitment"]
        )


def _per_guest(name: str, rate: str) -> str:
    return "–" if name in BY_ADDRESS else rate.replace("/", " a ")


def _times(rate: str) -> str:
    amount, _, unit = rate.partition("/")
    return f"{int(amount) * ADDRESS_FACTOR} a {unit}"


def _shown(line: Json) -> tuple[str, str]:
    """A line of the transcript for people: who sends what to whom, and the document."""
    who = line["who"]
    if "ask" in line:
        request = line["ask"]
        heads = [f"{name}: {value}" for name, value in request["headers"].items()]
        body = [json_text(request["body"])] if "body" in request else []
        return f"{who} → server: {request['method']} {request['path']}", "\n".join([*heads, *body])
    if "answer" in line:
        body = line["answer"]["body"]
        return f"server → {who}: {line['answer']['status']}", "{…}" if "format" in body else json_text(body)
    if "say" in line:
        return f"{who} → server, on the socket", json_text(line["say"])
    return f"server → {who}", json_text(line["hear"], leave_out="view")


def _contents(page: str) -> str:
    """Links to all chapters and sections; of routes and schemas one line for each section."""
    lines: list[str] = []
    before = ""
    for level, heading in _HEADING.findall(page):
        link = f"[{heading}](#{_anchor(heading)})"
        if level == "####":
            lines[-1] += f"{' · ' if level == before else ': '}{link}"
        else:
            lines.append(f"{'  ' if level == '###' else ''}- {link}")
        before = level
    return "\n".join(lines) + "\n"


def _anchor(heading: str) -> str:
    """As GitHub makes anchors of headings."""
    return re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-")


def protocol_page(transcript: str) -> str:
    """The whole page, with the transcript that lies beside it."""
    template = Path(__file__).with_name("protocol_page.md").read_text(encoding="utf-8")
    return Page([json.loads(line) for line in transcript.splitlines()]).write(template)


def main(folder: Path) -> None:
    """Write the page into a folder."""
    written = protocol_page((folder / TRANSCRIPT).read_text(encoding="ascii"))
    (folder / PAGE).write_text(written, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs"))
