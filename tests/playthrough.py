"""Golden records as text: any change of the rules changes the text.

Regenerate the files after an intended change with ``python -m tests.playthrough``.
"""

from pathlib import Path

from sanssouci.notation import Record, read_record, replay, write_card, write_squares
from sanssouci.rules import State, members, tiles_on

RECORDS = Path(__file__).parent / "records"


def playthrough(record: Record) -> str:
    """Every turn with the number of legal turns, and the state after it."""
    state = record.deal.start()
    lines = [f"0 {_summary(state)}"]
    for text, (_, after) in zip(record.turns, replay(record), strict=True):
        lines.append(f"{after.turn} {text} of {len(state.options())}: {_summary(after)}")
        state = after
    return "\n".join(lines) + "\n"


def _summary(state: State) -> str:
    """The view of the next seat, in short."""
    view = state.view(state.to_move)
    garden = view.gardens[state.to_move]
    tiles = "".join("." if motif is None else "abcdefghi"[motif] for motif in tiles_on(view.display))
    hand = ",".join(write_card(card) for card in members(view.hand))
    scores = "/".join(str(score.total) for score in view.scores)
    connected = len(write_squares(garden.connected))
    nobles = "".join(map(str, garden.noble_rows))
    boar = ",".join(write_squares(garden.boar)) or "-"
    return f"{scores} tiles {tiles} hand {hand} nobles {nobles} connected {connected} boar {boar}"


def write_all() -> None:
    for path in sorted(RECORDS.glob("*.json")):
        path.with_suffix(".txt").write_text(playthrough(read_record(path)), encoding="utf-8")


if __name__ == "__main__":
    write_all()
