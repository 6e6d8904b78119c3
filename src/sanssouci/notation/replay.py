"""Replaying a record: every turn is checked by the rules, and the result by the score."""

from collections.abc import Iterator

from sanssouci.rules import Refusal, RefusalCode, Refused, Result, State, Turn

from .error import NotationError
from .record import Record, is_complete, write_result
from .record_file import RecordError, RefusedRecord
from .turns import parse_turn


def replay(record: Record) -> Iterator[tuple[Turn, State]]:
    """Every turn with the state after it; ``RecordError`` at the first that is not legal."""
    state = record.deal.start()
    for number, text in enumerate(record.turns, start=1):
        try:
            turn, state = _play(record, state, text)
        except RecordError as error:
            raise error.at_turn(number, text) from None
        yield turn, state


def _play(record: Record, state: State, text: str) -> tuple[Turn, State]:
    try:
        if state.over:
            raise Refused(Refusal.of(RefusalCode.GAME_OVER))
        turn = parse_turn(text)
        return turn, state.play(turn, record.deal.chance(state.turn))
    except NotationError as error:
        # A well-formed turn may name a card that does not exist: then it is in nobody's hand.
        rule = "R14" if error.key == "notation.card" else None
        raise RecordError("", error.key, rule, **error.details) from None
    except Refused as refused:
        raise RefusedRecord("", refused.refusal) from None


def verify(record: Record) -> State:
    """The state after the last turn of a legal record, or ``RecordError``."""
    state = record.deal.start()
    for _, after in replay(record):
        state = after
    if record.result is not None:
        _verify_result(record, state)
    return state


def _verify_result(record: Record, state: State) -> None:
    if not is_complete(record):
        raise RecordError("result", "record.result_too_early", turns=len(record.turns))
    recorded = dict(record.result or {})
    for name, value in write_result(Result.of(state)).items():
        if recorded.get(name) != value:
            raise RecordError(f"result.{name}", "record.result_differs", replayed=value)
