"""docs/engine-protocol.md and its transcript match the implementation."""

import json
import re

from sanssouci.players.engine_process import LONGEST_LINE
from sanssouci.players.protocol import PROTOCOL

from .engine_transcript import FILE, ROOT, transcript

PAGE = (ROOT / "docs" / "engine-protocol.md").read_text(encoding="utf-8")
TRANSCRIPT = [json.loads(line) for line in FILE.read_text(encoding="ascii").splitlines()]


def test_the_transcript_is_up_to_date() -> None:
    """R1: the transcript is a game of 18 turns; ``python -m tests.engine_transcript`` regenerates it."""
    assert transcript() == FILE.read_text(encoding="ascii")
    asked = [line["to"]["type"] for line in TRANSCRIPT if "to" in line]
    assert asked == ["hello", "new_game", "pick", "pick", *["turn"] * 18, "result", "quit"]
    answered = [line["from"]["type"] for line in TRANSCRIPT if "from" in line]
    assert answered == [kind for kind in asked if kind in ("hello", "pick", "turn")]


def test_messages_in_the_docs_come_from_the_transcript() -> None:
    """Every example message occurs in the transcript, and every message type has a section and an example."""
    messages = [message for line in TRANSCRIPT for message in line.values()]
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    assert len(shown) == 9 and all(message in messages for message in shown)
    for kind in ("hello", "new_game", "pick", "turn", "result", "quit"):
        assert f"### {kind}\n" in PAGE and any(message["type"] == kind for message in shown)


def test_every_field_is_explained() -> None:
    """Every field of a message, at every level, is mentioned on the page."""
    names: set[str] = set()

    def collect(value: object) -> None:
        if isinstance(value, dict):
            names.update(value)
            for item in value.values():
                collect(item)
        elif isinstance(value, list):
            for item in value:
                collect(item)

    collect([message for line in TRANSCRIPT for message in line.values()])
    fields = {name for name in names if len(name) > 3 or name == "id"}
    assert len(fields) > 25
    parts = {"rows", "columns"}
    assert [
        name for name in sorted(fields - parts) if f"`{name}`" not in PAGE and f'"{name}"' not in PAGE
    ] == []


def test_limits_in_the_docs_match_the_code() -> None:
    """The limits on the page equal the constants in the code."""
    from sanssouci.players import LIMIT, engine_process, engine_session, external_engine
    from sanssouci.players.bot import Bot

    assert f"{LONGEST_LINE:,} bytes" in PAGE and f"{engine_process._KEPT:,} bytes" in PAGE
    assert f"an answer | {LIMIT:g} s" in PAGE and external_engine._FIRST == 10 and engine_process._GRACE == 1
    assert f'"protocol": {PROTOCOL}' in PAGE and engine_session._LAST_WORDS <= engine_process._KEPT
    assert Bot("random").answer(b"{}") is not None


def test_the_command_line_has_the_same_time_limit() -> None:
    """The command line repeats the time limit, because help must not import the players; both are equal."""
    from sanssouci.cli.player_options import LIMIT as CLI_LIMIT
    from sanssouci.players import LIMIT

    assert CLI_LIMIT == LIMIT
