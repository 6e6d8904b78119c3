"""The engine protocol transcript in docs/: all messages of a game with the Python example.

``python -m tests.engine_transcript`` regenerates it after an intended change of the protocol.
"""

import json
import sys
from pathlib import Path

from sanssouci.arena import play_game
from sanssouci.dealer import BulkGame
from sanssouci.editions import load_edition
from sanssouci.players import Budget, ExternalEngine, make_player, stop_engines
from sanssouci.players.external_engine import EnginePlayer
from sanssouci.rules import IMPERIAL, Result, Variant

ROOT = Path(__file__).parent.parent
FILE = ROOT / "docs" / "engine-protocol-transcript.jsonl"
VARIANT = Variant(2, IMPERIAL, rewards=True, wild_boar=True)


def transcript() -> str:
    """Every message of one game, one per line, without the times."""
    chance = BulkGame(bytes(31) + b"\1", 1)
    program = ExternalEngine((sys.executable, str(ROOT / "examples" / "eager.py")), limit=60.0)
    example = EnginePlayer(program, chance.stream(0), Budget(seconds=1.0))
    players = [example, make_player("greedy", chance.stream(1))]
    try:
        game = play_game(VARIANT, load_edition(IMPERIAL).boards, chance.dealer(), players)
        example.finish(Result.of(game.state))
    finally:
        stop_engines()
    lines = [{name: line[name] for name in ("to", "from") if name in line} for line in example.said]
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


if __name__ == "__main__":
    FILE.write_text(transcript(), encoding="ascii")
