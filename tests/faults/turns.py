"""Legal turns, from the tables of options that the server sends with a view."""

from typing import Any

from sanssouci.dealer import Stream

Json = dict[str, Any]


def some_turn(options: Json, chance: Stream) -> str:
    """A legal turn, written as in a record, drawn stage by stage."""
    card = _one_of(list(options["cards"]), chance)
    space = _one_of(options["cards"][card], chance)
    square = _one_of(options["spaces"][str(space)], chance)
    boar = f"~{_one_of(options['boar'][square], chance)}" if square in options["boar"] else ""
    stop = _one_of(["", *(f"/{stop}" for stop in options["stops"].get(square, ()))], chance)
    return f"{card}@{space}-{square}{boar}{stop}"


def some_command(view: Json, chance: Stream) -> Json:
    """What one who is awaited could do now."""
    if view["stage"] == "lobby":
        return {"type": "ready", "nonce": f"{chance.below(1 << 30):016x}"}
    if view["stage"] == "picking":
        return {"type": "pick", "side": chance.below(2)}
    return {"type": "play", "turn": some_turn(view["options"], chance)}


def _one_of(things: list[Any], chance: Stream) -> Any:
    return things[chance.below(len(things))]
