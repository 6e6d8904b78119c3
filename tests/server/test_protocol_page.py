"""docs/protocol.md is what the server's description and the transcript make of it, and says what is true."""

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

from .described_house import DESCRIPTION, OPERATIONS, SOCKET
from .protocol_transcript import FILE, transcript

PATH = FILE.parent / PAGE
TEXT = PATH.read_text(encoding="utf-8")
SAID: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text(encoding="ascii").splitlines()]


def test_the_transcript_is_what_the_server_says_now(tmp_path: Path) -> None:
    """``python -m tests.server.protocol_transcript`` writes it again."""
    assert transcript(tmp_path) == FILE.read_text(encoding="ascii")


def test_the_page_is_up_to_date() -> None:
    """``python -m tools.protocol_docs.protocol_page docs`` writes it again."""
    assert protocol_page(FILE.read_text(encoding="ascii")) == TEXT
    assert "{{" not in TEXT


def test_the_transcript_shows_every_message_of_the_socket() -> None:
    """Each is what the description says it is."""
    heard = [line["hear"] for line in SAID if "hear" in line]
    for message in heard:
        SOCKET.validate_json(json.dumps(message))
    assert {message["type"] for message in heard} == {"update", "done", "refused"}
    assert {line["say"]["type"] for line in SAID if "say" in line} == {"hello", "command"}


def test_everything_has_its_place_on_the_page() -> None:
    """Every route, every schema and every error code once; every command in the table of commands."""
    headings = re.findall(r"^#{2,4} (.*)$", TEXT, re.MULTILINE)
    assert len(headings) == len(set(headings))
    assert set(DESCRIPTION["components"]["schemas"]) <= set(headings)
    assert {f"{method} {path}" for method, path in OPERATIONS} <= set(headings)
    for code in DESCRIPTION["x-errors"]:
        assert TEXT.count(f"| `{code}` |") == 1, code
    by_people = set(COMMANDS) - {"create", "sit", "time_out"}
    assert set(re.findall(r"^\| `([a-z_]+)` \|", section("Commands"), re.MULTILINE)) - {"type"} == by_people


def test_the_page_says_that_a_game_pauses() -> None:
    """What ``TableState.paused`` means to a client: in the text, and wherever one looks for it."""
    commands = section("Commands")
    assert "**A game pauses while all its people are away**" in commands
    rows = dict(re.findall(r"^\| `(step_away|return)` (.*)$", commands, re.MULTILINE))
    assert all("pauses" in row for row in rows.values()) and len(rows) == 2
    fields = DESCRIPTION["components"]["schemas"]["TableView"]["properties"]
    assert "all people are away" in fields["waiting"]["description"]
    assert "who are there" in fields["deadline"]["description"]


def section(title: str) -> str:
    """A chapter of the page, to the next heading."""
    return TEXT.split(f"## {title}\n")[1].split("\n##")[0]


def test_every_link_on_the_page_leads_to_a_heading() -> None:
    """As GitHub makes anchors of headings."""
    headings = re.findall(r"^#{1,4} (.*)$", TEXT, re.MULTILINE)
    anchors = {re.sub(r"[^a-z0-9 _-]", "", heading.lower()).replace(" ", "-") for heading in headings}
    links = set(re.findall(r"\]\(#([^)]*)\)", TEXT))
    assert links - anchors == set() and len(links) > 50


def test_the_numbers_in_its_words_are_those_of_the_server() -> None:
    """Sizes, times and versions that stand in the text."""
    settings = Settings()
    assert f"{settings.max_message:,} bytes" in TEXT and f"at most {LARGEST:,} bytes" in TEXT
    assert f"http://127.0.0.1:{settings.port}" in TEXT and f"protocol {PROTOCOL};" in TEXT
    assert f"within {TICKET_SECONDS:g} seconds" in TEXT and f"cut after {MAX_LENGTH} characters" in TEXT
    assert socket._HELLO_TIMEOUT == 10 and "`hello` within ten seconds" in TEXT
    config = run._config(object(), settings)
    assert (config.ws_ping_interval, config.ws_ping_timeout) == (20, 20) and "ping every 20 seconds" in TEXT


def test_the_proof_on_the_page_works() -> None:
    """The commitment of the transcript's game follows from its seed, by the lines that stand there."""
    failed, tried = doctest.testfile(str(PATH), module_relative=False)
    assert (failed, tried) == (0, 3)


def test_the_turns_on_the_page_are_all_legal_turns() -> None:
    """R14: the function that stands there puts together what the rules allow, and nothing else."""
    code = re.findall(r"```python\n(def turns.*?)```", TEXT, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code[0], names)
    views = [line["hear"]["view"] for line in SAID if "view" in line.get("hear", {})]
    playing = [view for view in views if view["options"] is not None]
    assert playing
    for view in playing:
        legal = set(parse_view(view["game"]).options())
        assert {parse_turn(text) for text in names["turns"](view["options"])} == legal
