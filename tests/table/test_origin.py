"""Tables that go on from a record: the game is the record's, and so is all that is still face down."""

import json
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sanssouci.locale import UserError
from sanssouci.notation import (
    Record,
    parse_record,
    replay,
    verify,
    write_card,
    write_column,
    write_record,
)
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

from .host import COMPUTER, OPEN, PERSON, SEED, Host, Row, replay_log
from .twins import quoted, seen

RECORDS = Path(__file__).parents[1] / "records"
NAMES = sorted(path.stem for path in RECORDS.glob("*-[234].json"))
FOUR = "imperial-rewards-boar-4"
Patch = pytest.MonkeyPatch


def golden(name: str) -> Record:
    """A record of the project."""
    return parse_record((RECORDS / f"{name}.json").read_bytes())


def states(record: Record) -> list[State]:
    """Every position of a record."""
    return [record.deal.start(), *(state for _, state in replay(record))]


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_gone_on_from_at_any_turn(name: str) -> None:
    """The position is the record's; played as in the record, the rest is the record too."""
    record = golden(name)
    wanted = states(record)
    for turn in (0, 1, len(record.turns) // 2, len(record.turns) - 1):
        host = Host.continuing(record, turn)
        assert host.state.stage.value == "playing" and host.state.states == tuple(wanted[: turn + 1])
        for text in record.turns[turn:]:
            host.do(Play(text), host.caller(host.state.waiting()[0]))
        assert host.state.states == tuple(wanted) and host.state.stage.value == "over"
        assert table_record(host.state).result == record.result


def test_what_is_face_down_comes_up_as_in_the_record() -> None:
    """R22, R23: other turns are answered with the same tiles and cards, in the same order."""
    record = golden(FOUR)
    host = Host.continuing(record, 30).play_out()
    assert table_record(host.state).turns[:30] == record.turns[:30]
    for seq, turn in zip(range(1, host.table.seq + 1), range(30, 72), strict=True):
        chance, answers = record.deal.chance(turn), host.table.event(seq).answers
        assert answers == {
            "refill": None if chance.refill is None else write_column(chance.refill),
            "draw": None if chance.draw is None else write_card(chance.draw),
        }
    assert host.state.states[-1].turn == 72


def test_the_record_of_such_a_table_can_be_verified() -> None:
    """It has no seed and no boards that could prove the deal, and says from which turn it went on."""
    host = Host.continuing(golden(FOUR), 30).play_out()
    record = parse_record(write_record(table_record(host.state)))
    assert verify(record).over and record.fair is None and record.boards is None
    assert record.extra["table"]["origin"] == {"turn": 30} and record.deal == golden(FOUR).deal
    assert [seat["name"] for seat in record.seats] == ["Ada", "Greedy", "Greedy", "Greedy"]


def test_such_a_table_is_read_back_from_its_log_alone() -> None:
    """Without a seed; and where a croupier stands by, he finds nothing that is not the record's."""
    host = Host.continuing(golden(FOUR), 30).play(7)
    host.do(TakeBack(), 0)
    host.play_out()
    assert host.replayed().history == host.table.history
    proved = Table("t", [parse_body(*row) for row in host.log], Croupier(SEED, "t"))
    assert proved.state == host.state


def test_there_is_no_commitment_and_it_is_said_so() -> None:
    """Nobody has drawn anything; no seed is shown at the end."""
    host = Host.continuing(golden(FOUR), 30)
    view = write_table(host.state, Viewer(0))
    assert view["commitment"] is None and view["origin"] == {"turn": 30}
    assert all(chair["ready"] for chair in view["chairs"]) and view["setup"] is None
    host.do(Concede(), 0)
    assert host.state.ending is not None and host.state.ending.reason is EndReason.CONCEDED
    assert host.state.ending.seed is None
    assert write_table(host.state, SPECTATOR)["ending"]["fair"] is None
    dealt = write_table(Host.of(2).state, SPECTATOR)
    assert dealt["commitment"] is not None and dealt["origin"] is None


def test_only_what_was_played_here_is_taken_back() -> None:
    """The record's own turns stay."""
    host = Host.continuing(golden(FOUR), 32)
    assert "take_back" not in write_table(host.state, Viewer(0))["you"]["may"]
    assert host.rejected(TakeBack(), 0) is RejectReason.NOTHING_TO_TAKE_BACK
    host.play(2)
    host.do(TakeBack(), 0)
    assert len(host.state.turns) == 32


def test_a_rematch_is_a_new_game() -> None:
    """It is dealt from a seed, as all others are."""
    host = Host.continuing(golden(FOUR), 70).play_out()
    host.do(Rematch("u"), 0)
    settings, chairs = rematch_of(host.state)
    again = new_table("u", settings, chairs, 0.0, Croupier(SEED, "u")).state
    assert again.origin is None and again.commitment is not None and again.stage is Stage.LOBBY


def test_such_a_game_counts_in_nobodys_statistics() -> None:
    """Others have played its beginning; a game that was dealt here counts."""
    assert write_player_result(Host.continuing(golden(FOUR), 70).play_out().state, 0) is None
    assert write_player_result(Host.of(2).start().play_out().state, 0) is not None


@pytest.mark.parametrize("turn", [-1, 72, 99])
def test_nothing_can_be_gone_on_from_after_the_end(turn: int) -> None:
    """Nor before the beginning."""
    with pytest.raises(UserError) as caught:
        make_origin(golden(FOUR), turn)
    assert caught.value.key == "terms.bad_turn" and caught.value.details == {"last": 71}


def test_a_record_that_is_not_legal_is_refused() -> None:
    """Also where the turn that is not comes later, or the result is another."""
    record = golden(FOUR)
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
def test_one_person_plays_at_most(chairs: tuple[Chair, ...]) -> None:
    """Whoever brings the record may have seen all of it; and every seat has its chair."""
    origin = make_origin(golden(FOUR), 3)
    settings = make_settings(len(chairs), "imperial", ["rewards", "wild_boar"], first=0)
    with pytest.raises(UserError):
        new_table("t", settings, chairs, 0.0, Croupier(SEED, "t"), origin)


@pytest.mark.parametrize(
    "other", [{"first": 1}, {"first": None}, {"expansions": []}, {"edition": "ravensburger"}]
)
def test_the_terms_are_those_of_the_record(other: dict[str, Any]) -> None:
    """Another edition, another expansion or another start is another game."""
    said: dict[str, Any] = {"edition": "imperial", "expansions": ["rewards"], "first": 0} | other
    origin = make_origin(golden("imperial-rewards-2"), 3)
    with pytest.raises(UserError):
        new_table("t", make_settings(2, **said), (PERSON, COMPUTER), 0.0, Croupier(SEED, "t"), origin)


def test_a_record_is_made_only_of_what_its_deal_leads_to() -> None:
    """However a table came to stand so."""
    state = Host.continuing(golden(FOUR), 68).play_out().state
    for wrong in (
        replace(state, turns=state.turns[:-1]),
        replace(state, states=(*state.states[:-1], state.states[-2])),
    ):
        with pytest.raises(UserError) as caught:
            table_record(wrong)
        assert caught.value.key == "table.not_from_record"


# what is changed in a log afterwards


def changed(rows: list[Row], seq: int, change: Callable[[Any], object]) -> list[Row]:
    """A log with something in the body of an event changed."""
    body = json.loads(rows[seq][3])
    change(body)
    return [*rows[:seq], (*rows[seq][:3], json.dumps(body)), *rows[seq + 1 :]]


def answer_with(question: str, answer: str | None, body: Any) -> None:
    """Let chance have answered something."""
    body["answers"][question] = answer


def swap(things: list[Any], here: int, there: int) -> None:
    """Let two things change places."""
    things[here], things[there] = things[there], things[here]


def test_every_answer_is_the_records() -> None:
    """Another tile or card, or none, is found at once; so is a deal that was changed under the table."""
    rows = Host.continuing(golden(FOUR), 30).play_out().log
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


def test_a_seed_that_is_not_asked_for_is_found() -> None:
    """A table of a record ends without one."""
    host = Host.continuing(golden(FOUR), 71).play_out()
    with pytest.raises(UserError):
        replay_log(
            "t", changed(host.log, -1 % len(host.log), lambda body: body["answers"].update(seed=SEED.hex()))
        )


# what nobody may know


def differing(seat: int, turn: int) -> tuple[Record, Record]:
    """Two records that differ only in a card in a seat's hand, its pile, and the last tiles."""
    record = golden(FOUR)
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


def tell_apart() -> int:
    """Play at two tables that differ in what is hidden, the same at both; how often both were compared."""
    hosts = [Host.continuing(record, 24) for record in differing(1, 24)]
    compared = 0
    for _ in range(20):
        assert quoted(hosts[0]) == quoted(hosts[1])
        for viewer in (SPECTATOR, Viewer(owner=True), Viewer(0, owner=True), Viewer(2), Viewer(3)):
            compared += 1
            assert seen(hosts[0], viewer) == seen(hosts[1], viewer), viewer
        one, other = (host.state.states[-1] for host in hosts)
        turn = hosts[0].turn(among=one.hands[one.to_move] & other.hands[other.to_move])
        for host in hosts:
            host.do(turn, host.caller(host.state.waiting()[0]))
    assert seen(hosts[0], Viewer(1)) != seen(hosts[1], Viewer(1)), "who holds the card sees it"
    return compared


def test_nobody_sees_what_the_record_hides() -> None:
    """Two tables from records that differ only in what is hidden look the same to all who may not know it."""
    assert tell_apart() == 100


def leak_origin(patch: Patch) -> None:
    """A view with the record in it."""
    patch.setattr(
        views,
        "write_public",
        lambda state, old=views.write_public: old(state) | {"from": dump_origin(state.origin)},
    )


def leak_repr(patch: Patch) -> None:
    """An origin that tells its record to whoever logs it."""
    patch.setattr(Origin, "__repr__", lambda origin: repr(origin.record))


@pytest.mark.parametrize("leak", [leak_origin, leak_repr])
def test_a_planted_leak_of_the_record_is_caught(leak: Callable[[Patch], None], monkeypatch: Patch) -> None:
    """Whatever is let out of the record, the tables can be told apart by it."""
    leak(monkeypatch)
    with pytest.raises(AssertionError):
        tell_apart()


def test_a_person_who_may_not_sees_no_record_before_the_end() -> None:
    """The record of the table, with all that is hidden, is for afterwards."""
    host = Host.continuing(golden(FOUR), 30)
    with pytest.raises(UserError) as caught:
        table_record(host.state)
    assert caught.value.key == f"declined.{RejectReason.NOT_YET.value}"
    assert host.rejected(Play(golden(FOUR).turns[30]), Caller()) is RejectReason.NOT_ALLOWED
