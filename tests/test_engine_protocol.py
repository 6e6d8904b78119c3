"""docs/engine-protocol.md and its transcript say what happens."""

import json
import re

from sanssouci.players.engine_process import LONGEST_LINE
from sanssouci.players.protocol import PROTOCOL

from .engine_transcript import FILE, ROOT, transcript

PAGE = (ROOT / "docs" / "engine-protocol.md").read_text(encoding="utf-8")
SAID = [json.loads(line) for line in FILE.read_text(encoding="ascii").splitlines()]


def test_the_transcript_is_the_whole_game_as_it_is_played_now() -> None:
    """R1: from hello to quit, 18 turns; ``python -m tests.engine_transcript`` writes it again."""
    assert transcript() == FILE.read_text(encoding="ascii")
    asked = [line["to"]["type"] for line in SAID if "to" in line]
    assert asked == ["hello", "new_game", "pick", "pick", *["turn"] * 18, "result", "quit"]
    answered = [line["from"]["type"] for line in SAID if "from" in line]
    assert answered == [kind for kind in asked if kind in ("hello", "pick", "turn")]


def test_every_message_of_the_page_is_one_of_the_transcript() -> None:
    """Word for word; and every kind of message has its section and its example."""
    messages = [message for line in SAID for message in line.values()]
    shown = [json.loads(block) for block in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)]
    assert len(shown) == 9 and all(message in messages for message in shown)
    for kind in ("hello", "new_game", "pick", "turn", "result", "quit"):
        assert f"### {kind}\n" in PAGE and any(message["type"] == kind for message in shown)


def test_every_field_is_explained() -> None:
    """Of all messages, at every level but the names of squares, cards and parts."""
    names: set[str] = set()

    def collect(value: object) -> None:
        if isinstance(value, dict):
            names.update(value)
            for item in value.values():
                collect(item)
        elif isinstance(value, list):
            for item in value:
                collect(item)

    collect([message for line in SAID for message in line.values()])
    fields = {name for name in names if len(name) > 3 or name == "id"}
    assert len(fields) > 25
    parts = {"rows", "columns"}
    assert [
        name for name in sorted(fields - parts) if f"`{name}`" not in PAGE and f'"{name}"' not in PAGE
    ] == []


def test_the_limits_of_the_page_are_those_of_the_program() -> None:
    """As numbers."""
    from sanssouci.players import LIMIT, engine_process, engine_session, external_engine
    from sanssouci.players.bot import Bot

    assert f"{LONGEST_LINE:,} bytes" in PAGE and f"{engine_process._KEPT:,} bytes" in PAGE
    assert f"an answer | {LIMIT:g} s" in PAGE and external_engine._FIRST == 10 and engine_process._GRACE == 1
    assert f'"protocol": {PROTOCOL}' in PAGE and engine_session._LAST_WORDS <= engine_process._KEPT
    assert Bot("random").answer(b"{}") is not None


def test_the_command_line_says_the_same_limit() -> None:
    """Help needs no player, so the number stands in two places."""
    from sanssouci.cli.player_options import LIMIT as TYPED
    from sanssouci.players import LIMIT

    assert TYPED == LIMIT
