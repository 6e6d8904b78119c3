"""Public events, and the summary of a table."""

from typing import Any

from sanssouci.rules import State
from sanssouci.table import (
    SPECTATOR,
    AssignChair,
    Concede,
    Play,
    Ready,
    Rematch,
    Sit,
    Stage,
    TakeBack,
    Vote,
    make_settings,
    write_summary,
    write_table,
)

from .hosted_table import COMPUTER, JOINER, OPEN, OWNER, PERSON, Host, nonce_of


def last_event(host: Host) -> Any:
    """The public form of the last event."""
    return host.table.public_events(host.table.seq - 1)[0].to(None)


def test_public_events_name_chair_and_target() -> None:
    """Public events contain the type, the acting chair and the target chair."""
    host = Host(make_settings(2, "imperial", []), [PERSON, OPEN])
    host.do(Sit(1, "Bob"), JOINER)
    common = {"at": 1.0, "house": False, "stage": "lobby"}
    assert last_event(host) == {"seq": 1, "type": "sit", "chair": None, "target": 1, "name": "Bob", **common}
    host.do(AssignChair(1, "greedy", "G"), OWNER, after=0)
    assert last_event(host) == {
        "seq": 2,
        "type": "appoint",
        "chair": None,
        "target": 1,
        "player": "greedy",
        "name": "G",
        **common,
    }
    host.do(Ready(nonce_of(0)), 0, after=0)
    ready, reveal = (event.to(None) for event in host.table.public_events(2))
    assert ready == {"seq": 3, "type": "ready", "chair": 0, **common}
    assert reveal == {"seq": 4, "type": "reveal", "chair": 0, **common, "stage": "picking"}


def test_public_events_of_votes_take_backs_and_endings() -> None:
    """Public events show the target of a vote, a take-back, the end of the game and the rematch."""
    four = Host.of(4, first=0).start().pick()
    four.do(Vote(0), 1, after=500)
    vote = last_event(four)
    assert vote["target"] == 0 and vote["chair"] == 1 and vote["carried"] is False
    four.do(Vote(0), 2)
    assert last_event(four)["carried"] is True
    host = Host.of(2, computers=1, first=0).start().pick().play(2)
    assert last_event(host)["house"] is True and last_event(host)["chair"] == 1
    host.do(TakeBack(), 0)
    assert last_event(host)["type"] == "take_back"
    host.do(Concede(), 0)
    assert last_event(host)["stage"] == "over"
    host.do(Rematch("u"), 0)
    assert last_event(host)["table"] == "u"


def test_the_points_of_the_turns_add_up_to_the_score() -> None:
    """R38: the points of all turns add up to the score, part by part, before the final scoring."""
    host = Host.of(2, first=0, expansions=["rewards", "wild_boar"]).start().play_out()
    sums = [dict.fromkeys(("nobles", "rewards", "boar"), 0) for _ in range(2)]
    turns: list[Any] = [
        event.public for event in host.table.public_events(-1) if event.public["type"] == Play.type
    ]
    for turn in turns[:-1]:
        for part, points in turn["points"].items():
            sums[turn["chair"]][part] += points
    state: State = host.table.history[-2].states[-1]
    for score, parts in zip(state.scores, sums, strict=True):
        assert {part: score.parts()[part] for part in parts} == parts
    assert len(turns) == 36 and any(turn["points"]["nobles"] for turn in turns)


def _display(host: Host) -> Any:
    view: Any = write_table(host.state, SPECTATOR)
    return view["game"]["display"]


def test_public_events_show_the_taken_tile_and_the_refill() -> None:
    """R22: a turn's event shows the space, the tile taken, its refill and the round."""
    host = Host.of(2, first=0).start().pick()
    for number in range(5):
        before = _display(host)
        host.play()
        space = int(str(last_event(host)["turn"]).split("@")[1][0])
        display = _display(host)
        assert last_event(host)["refill"] == display[space]
        assert (last_event(host)["space"], last_event(host)["tile"]) == (space, before[space])
        assert last_event(host)["round"] == 1 + number // 2


def test_the_summary_of_a_table() -> None:
    """The summary shows chairs, stage and round."""
    host = Host(make_settings(2, "imperial", ["rewards"]), [PERSON, COMPUTER])
    summary = write_summary(host.state)
    assert summary["stage"] == "lobby" and summary["round"] is None and summary["table"] == "t"
    assert summary["chairs"] == [
        {"sitter": "person", "name": "Ada", "player": None},
        {"sitter": "computer", "name": "Greedy", "player": "greedy"},
    ]
    host.start().pick().play(4)
    assert write_summary(host.state)["round"] == 3
    assert host.state.stage is Stage.PLAYING
