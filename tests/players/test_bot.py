"""The bot, a player as an external program: correct answers, and an error for invalid messages."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sanssouci.arena import Match
from sanssouci.dealer import BulkGame, Preparation
from sanssouci.editions import load_edition, shipped_boards
from sanssouci.notation import parse_turn
from sanssouci.players import Bot, Budget, ExternalEngine, make_player, stop_engines
from sanssouci.players.protocol import hello, new_game, pick_question, turn_question, write_message
from sanssouci.rules import IMPERIAL, State, Variant

from ..cli.command import COMMAND, usage_error
from ..helpers import VARIANTS, odd_deal, random_states, stream
from ..notation.test_views import BAD, damaged, places
from ..player_packages import install_all

ALL = Variant(3, IMPERIAL, rewards=True, wild_boar=True)
GAME = new_game(ALL, 1, Budget(rollouts=20), bytes(32))


def ask(bot: Bot, message: dict[str, Any]) -> Any:
    return bot.answer(write_message(message))


def states() -> list[State]:
    """Some states in which seat 1 is to move."""
    return [
        state for state in random_states(odd_deal(ALL, stream(1)), stream(2))[1:-1:3] if state.to_move == 1
    ]


@pytest.mark.parametrize("name", ["random", "greedy", "steward", "planner"])
def test_a_bot_plays_as_the_player_does(name: str) -> None:
    """R9, R14: a bot receives the whole view and the seed, and plays the same turns as its player."""
    bot = Bot(name)
    assert ask(bot, hello()) == hello() | {"name": name}
    assert ask(bot, GAME) is None
    player = make_player(name, BulkGame(bytes(32), 0).stream(1), Budget(rollouts=20))
    setup = Preparation(ALL, load_edition(IMPERIAL).boards, BulkGame(bytes(32), 3).dealer()).setup
    picked = ask(bot, pick_question(1, setup.view(1)))
    assert picked == {"type": "pick", "id": 1, "side": player.pick(setup.view(1))}
    for number, state in enumerate(states()[:4], start=2):
        answer = ask(bot, turn_question(number, state.view(1)))
        assert answer["type"] == "turn" and answer["id"] == number
        assert parse_turn(answer["turn"]) == player.decide(state.view(1))
    assert ask(bot, {"type": "result", "winners": [1]}) is None and not bot.quitting
    assert ask(bot, {"type": "quit"}) is None and bot.quitting


def test_a_bot_in_a_match_plays_as_its_player() -> None:
    """Greedy as an external program plays the same match as greedy."""
    program = ExternalEngine((sys.executable, "-m", "sanssouci", "bot", "greedy"), 60.0)
    matches = [
        Match(Variant(2), shipped_boards("reference"), ("random", player), bytes(32))
        for player in ("greedy", program)
    ]
    try:
        alone, external = [[match.play((1, place))[1].turns for place in (0, 1)] for match in matches]
    finally:
        stop_engines()
    assert alone == external


def test_messages_are_short() -> None:
    """docs/engine-protocol.md promises a maximum length of messages."""
    for number in range(5):
        for state in random_states(odd_deal(VARIANTS[-1], stream(number)), stream(number + 1))[:-1:5]:
            assert len(write_message(turn_question(10**6, state.view(state.to_move)))) < 16_384 / 2


def test_a_bot_answers_every_message() -> None:
    """Invalid messages get an error with their id, and the bot continues."""
    bot = Bot("random")
    state = states()[3]
    question = turn_question(7, state.view(1))
    for line, message in (
        (b"", "not valid JSON"),
        (b"hello", "not valid JSON"),
        (b"\xff\xfe", "UTF-8"),
        (b"[]", "must be an object"),
        (b'{"id": 3}', "type"),
        (b'{"type": "dance"}', "unknown message type “dance”"),
        (b'{"type": "hello", "protocol": 2}', "version 2"),
        (b'{"type": "hello", "protocol": true}', "version"),
        (b'{"type": "hello", "protocol": 1.0}', "version"),
        (write_message(question), "no game has started"),
        (b'{"type": "new_game"}', "seat, budget and seed"),
        (b'{"type": "new_game", "seat": 1, "budget": {"seconds": "5"}}', "seat, budget and seed"),
        (b'{"type": "new_game", "seat": true}', "seat, budget and seed"),
        (b'{"type": "new_game", "seat": 1, "budget": 5}', "seat, budget and seed"),
        (b'{"type": "new_game", "seat": 1, "budget": {"seconds": 0}}', "seat, budget and seed"),
        (b'{"type": "new_game", "seat": 1, "budget": {"rollouts": 1.5}}', "seat, budget and seed"),
        (b'{"type": "new_game", "seat": 1}', "not a seed"),
        (b'{"type": "new_game", "seat": 1, "seed": "luck"}', "luck"),
        (write_message(question | {"view": None}), "view: must be an object"),
        (b"x" * 300_000, "too large"),
    ):
        answer = bot.answer(line)
        assert answer is not None and answer["type"] == "error" and message in answer["message"]
    assert ask(bot, GAME) is None
    for seat in (0, 2):
        assert "not this seat’s turn" in ask(bot, turn_question(8, state.view(seat)))["message"]
    errors = 0
    for path in places(question)[::7]:
        if path[0] != "options":
            for value in BAD:
                answer = ask(bot, damaged(question, path, value))
                assert answer["type"] in ("turn", "error") and answer.get("id") in (7, None, *BAD)
                errors += answer["type"] == "error"
    assert errors > 200 and ask(bot, question)["type"] == "turn"


def test_nothing_but_messages_is_printed(tmp_path: Path) -> None:
    """Standard output has only messages; plug-in output goes to standard error; bad lines get an error."""
    player_folder = install_all(tmp_path / "player_folder")
    views = [state.view(0) for state in random_states(odd_deal(Variant(2), stream(1)), stream(2))[:1]]
    lines = [hello(), new_game(Variant(2), 0, Budget(), bytes(32)), turn_question(1, views[0])]
    sent = b"".join(write_message(line) + b"\n" for line in lines) + b"\n\nrubbish\n" + b"y" * 400_000 + b"\n"
    done = subprocess.run(
        [*COMMAND, "bot", "first"],
        input=sent + write_message(turn_question(2, views[0])),
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(player_folder)},
        timeout=60,
        check=False,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["type"] for answer in answers] == ["hello", "turn", "error", "error", "turn"]
    assert done.returncode == 0 and b"as good as any" in done.stderr and b"Traceback" not in done.stderr
    for name, message in (("chess", "no player “chess”"), ("cmd:touch x", "only a name")):
        assert message in usage_error("bot", name, cwd=tmp_path)


def test_a_failing_player_is_reported_by_the_bot(tmp_path: Path) -> None:
    """The error message has the reason of the failure."""
    player_folder = install_all(tmp_path / "player_folder")
    state = random_states(odd_deal(Variant(2), stream(1)), stream(2))[4]
    lines = [new_game(Variant(2), 0, Budget(), bytes(32)), turn_question(1, state.view(0)), {"type": "quit"}]
    done = subprocess.run(
        [*COMMAND, "bot", "raising"],
        input=b"".join(write_message(line) + b"\n" for line in [*lines, hello()]),
        capture_output=True,
        env=os.environ | {"PYTHONPATH": str(player_folder)},
        timeout=60,
        check=False,
    )
    (answer,) = map(json.loads, done.stdout.splitlines())
    assert answer["id"] == 1 and "turn 5: the player failed: LookupError" in answer["message"]
