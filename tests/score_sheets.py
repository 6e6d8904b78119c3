"""Recorded games as score sheets, as entered after a game with the physical edition."""

from pathlib import Path
from typing import Any

from sanssouci.notation import read_record, replay, write_view
from sanssouci.rules import Score, turn_score

Json = dict[str, Any]
RECORDS = sorted((Path(__file__).parent / "records").glob("*-[234].json"))


def real_table(path: Path) -> tuple[Json, Json]:
    """The end of a recorded game as it would be entered, and the result of the record."""
    record = read_record(path)
    state = record.deal.start()
    tracks = [Score()] * state.variant.seats
    for turn, after in replay(record):
        seat = state.to_move
        tracks[seat] = turn_score(state.gardens[seat], tracks[seat], turn)
        state = after
    view = write_view(state.view(None))
    seats = [
        {name: value for name, value in garden.items() if name != "printed"}
        | {"missions": missions, "track": track.total}
        | {"track_rewards": track.rewards, "track_boar": track.boar}
        for garden, missions, track in zip(view["gardens"], view["missions"], tracks, strict=True)
    ]
    variant = record.deal.variant
    assert record.result is not None
    table = {"edition": variant.edition, "expansions": [*variant.expansions], "seats": seats}
    return table, {**record.result}


def sheet(table: Json, names: tuple[str, ...] = ("Ada", "Berta", "Clara", "Dora")) -> Json:
    """The same table in the format of browser storage."""
    seats = [
        {**seat, "name": name, "trackRewards": seat["track_rewards"], "trackBoar": seat["track_boar"]}
        for seat, name in zip(table["seats"], names, strict=False)
    ]
    return {**table, "seats": seats}
