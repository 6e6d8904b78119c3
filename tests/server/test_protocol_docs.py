"""docs/protocol.md matches the API description, the transcript and the server's behaviour."""

import doctest
import json
import re
from pathlib import Path
from typing import Any

from sanssouci.notation import parse_turn, parse_view
from sanssouci.notation.strict_json import LARGEST
from sanssouci.server import run, socket
from sanssouci.server.auth.tickets import TICKET_SECONDS
from sanssouci.server.settings import Settings
from sanssouci.server.tables.display_names import MAX_LENGTH
from sanssouci.server.wire.requests import PROTOCOL
from sanssouci.table import COMMANDS
from tools.protocol_docs.protocol_page import PAGE, protocol_page

from ..harness.description import DESCRIPTION, OPERATIONS, SOCKET
from .protocol_transcript import FILE, transcript

PATH = FILE.parent / PAGE
TEXT = PATH.read_text(encoding="utf-8")
TRANSCRIPT: list[dict[str, Any]] = [
    json.loads(line) for line in FILE.read_text(encoding="ascii").splitlines()
]


def test_the_transcript_is_up_to_date(tmp_path: Path) -> None:
    """The transcript is current; ``python -m tests.server.protocol_transcript`` rewrites it."""
    assert transcript(tmp_path) == FILE.read_text(encoding="ascii")


def test_the_page_is_up_to_date() -> None:
    """The page matches its sources; ``python -m tools.protocol_docs.protocol_page docs`` rewrites it."""
    assert protocol_page(FILE.read_text(encoding="ascii")) == TEXT
    assert "{{" not in TEXT


def test_the_transcript_shows_the_socket_messages() -> None:
    """The transcript contains the main socket messages, each valid by the description."""
    received = [line["hear"] for line in TRANSCRIPT if "hear" in line]
    for message in received:
        SOCKET.validate_json(json.dumps(message))
    assert {message["type"] for message in received} == {"update", "done", "refused"}
    assert {line["say"]["type"] for line in TRANSCRIPT if "say" in line} == {"hello", "command"}


def test_the_page_documents_everything() -> None:
    """Every route, schema and error code is documented once, and every command has a row."""
    headings = re.findall(r"^#{2,4} (.*)$", TEXT, re.MULTILINE)
    assert len(headings) == len(set(headings))
    assert set(DESCRIPTION["components"]["schemas"]) <= set(headings)
    assert {f"{method} {path}" for method, path in OPERATIONS} <= set(headings)
    for code in DESCRIPTION["x-errors"]:
        assert TEXT.count(f"| `{code}` |") == 1, code
    by_people = set(COMMANDS) - {"create", "sit", "reshuffle", "time_out"}
    assert set(re.findall(r"^\| `([a-z_]+)` \|", section("Commands"), re.MULTILINE)) - {"type"} == by_people


def test_the_page_documents_pauses() -> None:
    """The page explains in text, commands and fields that a game pauses while all people are away."""
    commands = section("Commands")
    assert "**A game pauses while all its people are away**" in commands
    rows = dict(re.findall(r"^\| `(step_away|return)` (.*)$", commands, re.MULTILINE))
    assert all("pauses" in row for row in rows.values()) and len(rows) == 2
    fields = DESCRIPTION["components"]["schemas"]["TableView"]["properties"]
    assert "all people are away" in fields["waiting"]["description"]
    assert "who are present" in fields["deadline"]["description"]


def section(title: str) -> str:
    """The text of a section up to the next heading."""
    return TEXT.split(f"## {title}\n")[1].split("\n##")[0]


def test_the_contents_list_every_heading() -> None:
    """The contents name all chapters, sections, routes and schemas, in order, each with its own anchor."""
    contents, page = TEXT.split("**Contents**\n")[1].split("\n## ", 1)
    listed = re.findall(r"\[([^]]+)\]\(#([^)]+)\)", contents)
    headings = re.findall(r"^#{2,6} (.*)$", f"## {page}", re.MULTILINE)
    assert [heading for heading, _ in listed] == headings
    assert len({anchor for _, anchor in listed}) == len(headings)


def test_links_on_the_page_lead_to_headings() -> None:
    """Every anchor link on the page matches a heading, with anchors as GitHub makes them."""
    headings = re.findall(r"^#{1,4} (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings}
    links = set(re.findall(r"\]\(#([^)]*)\)", TEXT))
    assert links - anchors == set() and len(links) > 50


def test_numbers_in_the_text_match_the_server() -> None:
    """Sizes, times and versions in the text are the values that the server uses."""
    settings = Settings()
    assert f"{settings.max_message:,} bytes" in TEXT and f"at most {LARGEST:,} bytes" in TEXT
    assert f"http://127.0.0.1:{settings.port}" in TEXT and f"protocol {PROTOCOL};" in TEXT
    assert f"within {TICKET_SECONDS:g} seconds" in TEXT and f"cut after {MAX_LENGTH} characters" in TEXT
    assert socket._HELLO_TIMEOUT == 10 and "`hello` within ten seconds" in TEXT
    config = run._config(object(), settings)
    assert (config.ws_ping_interval, config.ws_ping_timeout) == (20, 20) and "ping every 20 seconds" in TEXT


def test_the_proof_on_the_page_works() -> None:
    """The doctest on the page computes the commitment of the transcript's game from its seed."""
    failed, tried = doctest.testfile(str(PATH), module_relative=False)
    assert (failed, tried) == (0, 3)


def test_the_turn_generator_on_the_page() -> None:
    """R14: the function on the page generates exactly the legal turns."""
    code = re.findall(r"```python\n(def turns.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code[0], names)
    views = [line["hear"]["view"] for line in TRANSCRIPT if "view" in line.get("hear", {})]
    playing = [view for view in views if view["options"] is not None]
    assert playing
    for view in playing:
        legal = set(parse_view(view["game"]).options())
        assert {parse_turn(text) for text in names["turns"](view["options"])} == legal
