"""What is told of events, and how a table is shown in short."""

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

from .host import COMPUTER, JOINER, OPEN, OWNER, PERSON, Host, nonce_of


def told(host: Host) -> dict[str, object]:
    """What everyone is told of the last event."""
    return host.table.public_events(host.table.seq - 1)[0].to(None)


def test_everyone_is_told_who_did_what() -> None:
    """By the number of the chair; who sat down is named by the chair they took."""
    host = Host(make_settings(2, "imperial", []), [PERSON, OPEN])
    host.do(Sit(1, "Bob"), JOINER)
    common = {"at": 1.0, "house": False, "stage": "lobby"}
    assert told(host) == {"seq": 1, "type": "sit", "chair": None, "target": 1, "name": "Bob", **common}
    host.do(AssignChair(1, "greedy", "G"), OWNER, after=0)
    assert told(host) == {
        "seq": 2,
        "type": "appoint",
        "chair": None,
        "target": 1,
        "player": "greedy",
        "name": "G",
        **common,
    }
    host.do(Ready(nonce_of(0)), 0, after=0)
    assert told(host) == {"seq": 3, "type": "ready", "chair": 0, **common, "stage": "picking"}


def test_the_rest_is_told_too() -> None:
    """Whom a vote is about, that a turn was taken back, where the rematch is, and that the game is over."""
    four = Host.of(4, first=0).start().pick()
    four.do(Vote(0), 1, after=500)
    assert told(four)["target"] == 0 and told(four)["chair"] == 1 and told(four)["carried"] is False
    four.do(Vote(0), 2)
    assert told(four)["carried"] is True
    host = Host.of(2, computers=1, first=0).start().pick().play(2)
    assert told(host)["house"] is True and told(host)["chair"] == 1
    host.do(TakeBack(), 0)
    assert told(host)["type"] == "take_back"
    host.do(Concede(), 0)
    assert told(host)["stage"] == "over"
    host.do(Rematch("u"), 0)
    assert told(host)["table"] == "u"


def test_the_points_of_the_turns_add_up_to_the_score() -> None:
    """R38: told part by part with each turn; what the end adds is in the view."""
    host = Host.of(2, first=0, expansions=["rewards", "wild_boar"]).start().play_out()
    sums = [dict.fromkeys(("nobles", "rewards", "boar"), 0) for _ in range(2)]
    turns = [
        telling.public for telling in host.table.public_events(-1) if telling.public["type"] == Play.type
    ]
    for turn in turns[:-1]:
        for part, points in turn["points"].items():
            sums[turn["chair"]][part] += points
    state: State = host.table.history[-2].states[-1]
    for score, parts in zip(state.scores, sums, strict=True):
        assert {part: score.parts()[part] for part in parts} == parts
    assert len(turns) == 36 and any(turn["points"]["nobles"] for turn in turns)


def test_a_tile_that_was_taken_and_one_that_came_up_are_told_to_all() -> None:
    """R22: what lay on the space and what lies there then, and in which round that was."""
    host = Host.of(2, first=0).start().pick()
    for number in range(5):
        before = write_table(host.state, SPECTATOR)["game"]["display"]
        host.play()
        space = int(str(told(host)["turn"]).split("@")[1][0])
        display = write_table(host.state, SPECTATOR)["game"]["display"]
        assert told(host)["refill"] == display[space]
        assert (told(host)["space"], told(host)["tile"]) == (space, before[space])
        assert told(host)["round"] == 1 + number // 2


def test_a_table_is_shown_in_short() -> None:
    """Who sits there, at which stage and in which round it is."""
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
