"""Tables that continue from a record: the game and everything hidden come from the record."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sanssouci.locale import UserError
from sanssouci.notation import Record, parse_record, replay, verify, write_card, write_column, write_record
from sanssouci.rules import HAND, State
from sanssouci.table import (
    SPECTATOR,
    Caller,
    Chair,
    Concede,
    Croupier,
    EndReason,
    Origin,
    Play,
    RejectReason,
    Rematch,
    Stage,
    Table,
    TakeBack,
    Viewer,
    make_origin,
    make_settings,
    new_table,
    parse_body,
    rematch_of,
    table_record,
    views,
    write_player_result,
    write_table,
)
from sanssouci.table.origin import dump_origin

from .hosted_table import COMPUTER, OPEN, PERSON, SEED, Host, Row, replay_log
from .paired_tables import reprs_of, seen

RECORDS = Path(__file__).parents[1] / "records"
NAMES = sorted(path.stem for path in RECORDS.glob("*-[234].json"))
FOUR = "imperial-rewards-boar-4"
Patch = pytest.MonkeyPatch


def golden_record(name: str) -> Record:
    return parse_record((RECORDS / f"{name}.json").read_bytes())


def states(record: Record) -> list[State]:
    """Every position of a record."""
    return [record.deal.start(), *(state for _, state in replay(record))]


@pytest.mark.parametrize("name", NAMES)
def test_a_record_can_be_continued_from_any_turn(name: str) -> None:
    """The position is the record's, and playing the record's turns gives the record's result."""
    record = golden_record(name)
    wanted = states(record)
    for turn in (0, 1, len(record.turns) // 2, len(record.turns) - 1):
        host = Host.continuing(record, turn)
        assert host.state.stage.value == "playing" and host.state.states == tuple(wanted[: turn + 1])
        for text in record.turns[turn:]:
            host.do(Play(text), host.caller(host.state.waiting[0]))
        assert host.state.states == tuple(wanted) and host.state.stage.value == "over"
        assert table_record(host.state).result == record.result


def test_tiles_and_cards_come_in_the_order_of_the_record() -> None:
    """R22, R23: other turns reveal the same tiles and cards, in the same order."""
    record = golden_record(FOUR)
    host = Host.continuing(record, 30).play_out()
    assert table_record(host.state).turns[:30] == record.turns[:30]
    for seq, turn in zip(range(1, host.table.seq + 1), range(30, 72), strict=True):
        chance, answers = record.deal.chance(turn), host.table.event(seq).answers
        assert answers == {
            "refill": None if chance.refill is None else write_column(chance.refill),
            "draw": None if chance.draw is None else write_card(chance.draw),
        }
    assert host.state.states[-1].turn == 72


def test_the_record_of_a_continued_table_can_be_verified() -> None:
    """The record has no seed and no boards, and names the turn from which it continues."""
    host = Host.continuing(golden_record(FOUR), 30).play_out()
    record = parse_record(write_record(table_record(host.state)))
    assert verify(record).over and record.fair is None and record.boards is None
    assert record.extra["table"]["origin"] == {"turn": 30} and record.deal == golden_record(FOUR).deal
    assert [seat["name"] for seat in record.seats] == ["Ada", "Greedy", "Greedy", "Greedy"]


def test_a_continued_table_is_replayed_from_its_log() -> None:
    """The log replays without a seed, and with a croupier that checks it."""
    host = Host.continuing(golden_record(FOUR), 30).play(7)
    host.do(TakeBack(), 0)
    host.play_out()
    assert host.replayed().history == host.table.history
    proved = Table("t", [parse_body(*row) for row in host.log], Croupier(SEED, "t"))
    assert proved.state == host.state


def test_a_continued_table_has_no_commitment() -> None:
    """Views show no commitment and the turn of origin. No seed is revealed at the end."""
    host = Host.continuing(golden_record(FOUR), 30)
    view = write_table(host.state, Viewer(0))
    assert view["commitment"] is None and view["origin"] == {"turn": 30}
    assert all(chair["ready"] for chair in view["chairs"]) and view["setup"] is None
    host.do(Concede(), 0)
    assert host.state.ending is not None and host.state.ending.reason is EndReason.CONCEDED
    assert host.state.ending.seed is None
    ending = write_table(host.state, SPECTATOR)["ending"]
    assert ending is not None and ending["fair"] is None
    dealt = write_table(Host.of(2).state, SPECTATOR)
    assert dealt["commitment"] is not None and dealt["origin"] is None


def test_turns_of_the_record_cannot_be_taken_back() -> None:
    """Only turns played at this table can be taken back."""
    host = Host.continuing(golden_record(FOUR), 32)
    assert "take_back" not in write_table(host.state, Viewer(0))["you"]["may"]
    assert host.rejected(TakeBack(), 0) is RejectReason.NOTHING_TO_TAKE_BACK
    host.play(2)
    host.do(TakeBack(), 0)
    assert len(host.state.turns) == 32


def test_a_rematch_is_a_new_game() -> None:
    """The rematch of a continued table is dealt from a seed."""
    host = Host.continuing(golden_record(FOUR), 70).play_out()
    host.do(Rematch("u"), 0)
    settings, chairs = rematch_of(host.state)
    again = new_table("u", settings, chairs, 0.0, Croupier(SEED, "u")).state
    assert again.origin is None and again.commitment is not None and again.stage is Stage.LOBBY


def test_continued_games_do_not_count_in_statistics() -> None:
    """A continued game has no player result; an ordinary game has one."""
    assert write_player_result(Host.continuing(golden_record(FOUR), 70).play_out().state, 0) is None
    assert write_player_result(Host.of(2).start().play_out().state, 0) is not None


@pytest.mark.parametrize("turn", [-1, 72, 99])
def test_a_record_can_be_continued_only_from_its_turns(turn: int) -> None:
    """A turn before the beginning or after the end is rejected."""
    with pytest.raises(UserError) as caught:
        make_origin(golden_record(FOUR), turn)
    assert caught.value.key == "terms.bad_turn" and caught.value.details == {"last": 71}


def test_an_illegal_record_is_rejected() -> None:
    """A record with a later illegal turn or a wrong result is rejected."""
    record = golden_record(FOUR)
    assert record.result is not None
    for wrong in (
        replace(record, turns=(*record.turns[:40], record.turns[0], *record.turns[41:])),
        replace(record, result={**record.result, "winners": [3]}),
    ):
        with pytest.raises(UserError):
            make_origin(wrong, 3)


@pytest.mark.parametrize(
    "chairs", [(PERSON, PERSON, COMPUTER, COMPUTER), (PERSON, OPEN, COMPUTER, COMPUTER), (PERSON, COMPUTER)]
)
def test_a_continued_table_has_at_most_one_person(chairs: tuple[Chair, ...]) -> None:
    """Several people, open chairs and missing chairs are rejected, as the owner may know the record."""
    origin = make_origin(golden_record(FOUR), 3)
    settings = make_settings(len(chairs), "imperial", ["rewards", "wild_boar"], first=0)
    with pytest.raises(UserError):
        new_table("t", settings, chairs, 0.0, Croupier(SEED, "t"), origin)


@pytest.mark.parametrize(
    "other", [{"first": 1}, {"first": None}, {"expansions": []}, {"edition": "ravensburger"}]
)
def test_the_settings_must_match_the_record(other: dict[str, Any]) -> None:
    """Another edition, expansion or first chair is rejected."""
    settings: dict[str, Any] = {"edition": "imperial", "expansions": ["rewards"], "first": 0} | other
    origin = make_origin(golden_record("imperial-rewards-2"), 3)
    with pytest.raises(UserError):
        new_table("t", make_settings(2, **settings), (PERSON, COMPUTER), 0.0, Croupier(SEED, "t"), origin)


def test_a_record_must_match_its_deal() -> None:
    """A state that does not follow from the record's deal and turns has no record."""
    state = Host.continuing(golden_record(FOUR), 68).play_out().state
    for wrong in (
        replace(state, turns=state.turns[:-1]),
        replace(state, states=(*state.states[:-1], state.states[-2])),
    ):
        with pytest.raises(UserError) as caught:
            table_record(wrong)
        assert caught.value.key == "table.not_from_record"


# Tampered logs


def changed(rows: list[Row], seq: int, change: Callable[[Any], object]) -> list[Row]:
    """The log with a change in the body of one event."""
    body = json.loads(rows[seq][3])
    change(body)
    return [*rows[:seq], (*rows[seq][:3], json.dumps(body)), *rows[seq + 1 :]]


def answer_with(question: str, answer: str | None, body: Any) -> None:
    """Change an answer of chance."""
    body["answers"][question] = answer


def swap(things: list[Any], here: int, there: int) -> None:
    things[here], things[there] = things[there], things[here]


def test_answers_must_match_the_record() -> None:
    """Every changed tile, card or deal in the log is found."""
    rows = Host.continuing(golden_record(FOUR), 30).play_out().log
    replay_log("t", rows)
    for seq in range(1, len(rows)):
        for question, answer in json.loads(rows[seq][3])["answers"].items():
            for other in {"a", "b", None} - {answer}:
                with pytest.raises(UserError):
                    replay_log("t", changed(rows, seq, partial(answer_with, question, other)))
    for change in (
        lambda body: swap(body["command"]["origin"]["setup"]["decks"][2], 12, 17),
        lambda body: swap(body["command"]["origin"]["turns"], 0, 4),
        lambda body: body["command"]["origin"]["turns"].pop(),
        lambda body: body["command"].update(commitment="0" * 64),
        lambda body: body["command"].pop("origin"),
        lambda body: body["answers"].update(seed="0" * 64),
    ):
        with pytest.raises(UserError) as caught:
            replay_log("t", changed(rows, 0, change))
        assert caught.value.key.startswith("table.") and set(caught.value.details) <= {"seq", "question"}


def test_an_unexpected_seed_is_rejected() -> None:
    """A continued table must end without a seed."""
    host = Host.continuing(golden_record(FOUR), 71).play_out()
    with pytest.raises(UserError):
        replay_log(
            "t", changed(host.log, -1 % len(host.log), lambda body: body["answers"].update(seed=SEED.hex()))
        )


# Hidden information


def differing_records(seat: int, turn: int) -> tuple[Record, Record]:
    """Two records that differ only in a card of a seat's hand, its pile, and the last tiles."""
    record = golden_record(FOUR)
    state = states(record)[turn]
    deck = list(record.deal.decks[seat])
    drawn = HAND + len(range(seat, turn, record.deal.variant.seats))
    held = next(at for at in range(drawn) if state.hands[seat] >> deck[at] & 1)
    swap(deck, held, 17)
    tiles = list(record.deal.tiles)
    other = next(at for at in range(len(tiles) - 2, 0, -1) if tiles[at] != tiles[-1])
    swap(tiles, other, len(tiles) - 1)
    decks = (*record.deal.decks[:seat], tuple(deck), *record.deal.decks[seat + 1 :])
    deal = replace(record.deal, decks=decks, tiles=tuple(tiles))
    return replace(record, turns=record.turns[:turn], result=None), replace(
        record, deal=deal, turns=record.turns[:turn], result=None
    )


def compare_tables() -> int:
    """Play the same turns at two tables with different secrets; return the number of comparisons."""
    hosts = [Host.continuing(record, 24) for record in differing_records(1, 24)]
    compared = 0
    for _ in range(20):
        assert reprs_of(hosts[0]) == reprs_of(hosts[1])
        for viewer in (SPECTATOR, Viewer(owner=True), Viewer(0, owner=True), Viewer(2), Viewer(3)):
            compared += 1
            assert seen(hosts[0], viewer) == seen(hosts[1], viewer), viewer
        one, other = (host.state.states[-1] for host in hosts)
        turn = hosts[0].turn(among=one.hands[one.to_move] & other.hands[other.to_move])
        for host in hosts:
            host.do(turn, host.caller(host.state.waiting[0]))
    assert seen(hosts[0], Viewer(1)) != seen(hosts[1], Viewer(1)), "the holder of the card sees it"
    return compared


def test_hidden_parts_of_the_record_are_not_shown() -> None:
    """Two tables whose records differ only in hidden information look the same to other viewers."""
    assert compare_tables() == 100


def leak_origin(patch: Patch) -> None:
    """A view that contains the record."""
    patch.setattr(
        views,
        "write_public",
        lambda state, old=views.write_public: old(state) | {"from": dump_origin(state.origin)},
    )


def leak_repr(patch: Patch) -> None:
    """An origin whose repr contains the record."""
    patch.setattr(Origin, "__repr__", lambda origin: repr(origin.record))


@pytest.mark.parametrize("leak", [leak_origin, leak_repr])
def test_a_planted_leak_of_the_record_is_caught(leak: Callable[[Patch], None], monkeypatch: Patch) -> None:
    """The comparison finds every planted leak of the record."""
    leak(monkeypatch)
    with pytest.raises(AssertionError):
        compare_tables()


def test_a_continued_table_has_no_record_before_the_end() -> None:
    """The record, with all hidden information, is available only at the end."""
    host = Host.continuing(golden_record(FOUR), 30)
    with pytest.raises(UserError) as caught:
        table_record(host.state)
    assert caught.value.key == f"declined.{RejectReason.NOT_YET.value}"
    assert host.rejected(Play(golden_record(FOUR).turns[30]), Caller()) is RejectReason.NOT_ALLOWED
