"""A player for Sanssouci in Python: the turn whose noble scores most. It knows no rule, only the tables.

sanssouci arena --players random,cmd:"python3 examples/eager.py"
"""

import json
import sys


def turns(options):
    """Every legal turn with the points of its noble: pieces of the tables put together."""
    for card, spaces in options["cards"].items():
        for space in spaces:
            for tile in options["spaces"][str(space)]:
                for boar in options["boar"].get(tile, [None]):
                    turn = f"{card}@{space}-{tile}" + (f"~{boar}" if boar else "")
                    yield turn, 0
                    for stop, points in options["stops"][tile].items():
                        yield f"{turn}/{stop}", points


def answer(question):
    """What is wanted of us, if anything."""
    match question["type"]:
        case "hello":
            return {"protocol": 1, "name": "eager in Python"}
        case "pick":
            return {"id": question["id"], "side": question["sides"][0]}
        case "turn":
            best, _ = max(turns(question["options"]), key=lambda turn: turn[1])
            return {"id": question["id"], "turn": best}
    return None


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "quit":
        break
    if reply := answer(message):
        print(json.dumps({"type": message["type"], **reply}), flush=True)
