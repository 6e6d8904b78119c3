"""Messages for the server: new tables, and legal commands for a view."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from sanssouci.dealer import FAIR_1, Stream, nonce_commitment

Json = dict[str, Any]
NONCE = "00" * 16
RECORDS = Path(__file__).parents[1] / "records"
RECORD = (RECORDS / "imperial-base-2.json").read_bytes()
"""A finished game."""


def new_table(*chairs: str, **settings: Any) -> Json:
    """The body of a request for a table: a chair is ``person``, ``open`` or the name of a computer player."""
    sitters = [
        {"sitter": chair} if chair in ("person", "open") else {"sitter": "computer", "player": chair}
        for chair in chairs
    ]
    return {"chairs": sitters, **settings}


def legal_turn(options: Json, stream: Stream | None = None) -> str:
    """A turn built from the options of a view: at random, or the first one, with a noble if one can move."""

    def choose(choices: Collection[Any]) -> Any:
        return list(choices)[stream.below(len(choices)) if stream else 0]

    card = choose(options["cards"])
    space = choose(options["cards"][card])
    square = choose(options["spaces"][str(space)])
    boar = f"~{choose(options['boar'][square])}" if square in options["boar"] else ""
    stops = [f"/{stop}" for stop in options["stops"].get(square) or ()]
    stop = choose(["", *stops]) if stream else "".join(stops[:1])
    return f"{card}@{space}-{square}{boar}{stop}"


def legal_command(view: Json, stream: Stream | None = None, chair: int | None = None) -> Json:
    """A command for the awaited viewer of a view: at random, or the first one. All nonces are the same.

    In a lobby, it can also be that of another chair.
    """
    if view["shuffling"]:
        return {"type": "reveal", "nonce": NONCE}
    if view["stage"] == "lobby":
        return {"type": "ready", **ready_arguments(view, NONCE, chair)}
    if view["stage"] == "picking":
        return {"type": "pick", "side": stream.below(2) if stream else 0}
    return {"type": "play", "turn": legal_turn(view["options"], stream)}


def ready_arguments(view: Json, nonce: str, chair: int | None = None) -> Json:
    """The arguments of ``ready`` for the viewer of a view, or for a chair: the nonce, or its commitment."""
    if view["scheme"] == FAIR_1:
        return {"nonce": nonce}
    place = view["you"]["chair"] if chair is None else chair
    committed = nonce_commitment(view["table"], view["commitment"], place, nonce, view["scheme"])
    return {"commitment": committed}
