"""A Sanssouci engine in Python: plays the turn whose noble scores most, without knowing the rules.

sanssouci arena --players random,cmd:"python3 examples/eager.py"
"""

import json
import sys


def turns(options):
    """All legal turns with the points of their noble, built from the tables in the options."""
    for card, spaces in options["cards"].items():
        for space in spaces:
            for tile in options["spaces"][str(space)]:
                for boar in options["boar"].get(tile, [None]):
                    turn = f"{card}@{space}-{tile}" + (f"~{boar}" if boar else "")
                    yield turn, 0
                    for stop, points in options["stops"][tile].items():
                        yield f"{turn}/{stop}", points


def respond(request):
    """The response to a request, or None if it expects none."""
    match request["type"]:
        case "hello":
            return {"protocol": 1, "name": "eager in Python"}
        case "pick":
            return {"id": request["id"], "side": request["sides"][0]}
        case "turn":
            best, _ = max(turns(request["options"]), key=lambda turn: turn[1])
            return {"id": request["id"], "turn": best}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "quit":
        break
    if reply := respond(message):
        print(json.dumps({"type": message["type"], **reply}), flush=True)
