"""Views, events and refusals of real tables, for the tests of the browser game: ``web/tests/fixtures``.

    python -m tests.web.make_fixtures

Every game is random with a fixed seed, so the files change only if the game or its protocol does.
``test_fixtures`` checks that they are up to date. Tables are of the scheme ``fair/1``, whose logs are
shorter; the tests of the lobby in the browser cover ``fair/2``.
"""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from sanssouci.dealer import FAIR_1
from sanssouci.notation import read_record, write_card, write_column, write_options, write_square, write_turn
from sanssouci.rules import CARDS, LEAVES, SQUARES, Options, Refusal, Turn, members
from sanssouci.table import (
    SYSTEM,
    VOTE_DELAY,
    Abandon,
    AssignChair,
    Concede,
    LeaveChair,
    Play,
    Rematch,
    Return,
    Sit,
    Stage,
    StepAway,
    TakeBack,
    TimeControl,
    TimeControlKind,
    TimeOut,
    Viewer,
    Vote,
    make_settings,
    new_chair,
    write_replay,
    write_table,
)
from sanssouci.table.chairs import Chair, Sitter

from ..helpers import stream
from ..table.hosted_table import JOINER, OPEN, OWNER, Host
from ..workers.position_reviews import fake_review
from . import guided_game

Json = dict[str, Any]

FOLDER = Path(__file__).parents[2] / "web" / "tests" / "fixtures"
RECORDS = Path(__file__).parents[1] / "records"
OF_EACH_CODE = 4
"""The number of turns for each refusal of a view."""


def view_of(host: Host, chair: int | None) -> Json:
    """The table as a server shows it to a chair or a spectator."""
    return {"seq": host.table.seq, **write_table(host.state, Viewer(chair, owner=chair == 0))}


def update_of(host: Host, chair: int | None, after: int) -> Json:
    """The update for a chair that knows the events up to a number."""
    events = [telling.to(chair) for telling in host.table.public_events(after)]
    return {"type": "update", "seq": host.table.seq, "events": events, "view": view_of(host, chair)}


def mover_view(host: Host) -> Json:
    """The table as the chair to move sees it."""
    return view_of(host, host.state.waiting[0])


def game(seats: int, edition: str, expansions: list[str], looks: tuple[int, ...]) -> Json:
    """A whole game: views of the chair to move before some turns, the end, and all events."""
    host = Host.of(seats, edition=edition, expansions=expansions, first=0, scheme=FAIR_1).start()
    picking = view_of(host, 0)
    host.pick()
    views = []
    while host.state.stage is Stage.PLAYING:
        if len(host.state.turns) in looks:
            views.append(mover_view(host))
        host.play()
    return {
        "picking": picking,
        "views": views,
        "over": update_of(host, 0, -1),
        "watched": view_of(host, None),
    }


def boar_views() -> list[Json]:
    """Views in which a tile can be laid on the boar: with free adjacent squares, and trapped."""
    found: dict[str, Json] = {}
    for number in range(200):
        host = Host.of(2, expansions=["wild_boar"], first=0, scheme=FAIR_1).start().pick()
        host.players = type(host.players)(stream(number))
        while host.state.stage is Stage.PLAYING and len(found) < 2:
            goals = write_options(_options(host))["boar"].values()
            kind = "leaves" if ["x"] in goals else "moves" if goals else ""
            if kind and kind not in found and len(host.state.turns) > 8:
                found[kind] = {"view": mover_view(host), "refused": refusals(_options(host), number)}
            host.play()
        if len(found) == 2:
            break
    return [found["moves"], found["leaves"]]


def _options(host: Host) -> Options:
    state = host.state.game
    assert state is not None, "the game has started"
    return state.view(state.to_move).options()


def turns() -> list[Json]:
    """Single turns: the garden before and after, its connected squares, and the points."""
    return [
        sample for seats, edition, expansions in _VARIANTS for sample in _turns(seats, edition, expansions)
    ]


_VARIANTS: tuple[tuple[int, str, list[str]], ...] = (
    (2, "ravensburger", []),
    (3, "imperial", ["wild_boar"]),
    (4, "imperial", ["rewards", "wild_boar"]),
)


def _turns(seats: int, edition: str, expansions: list[str]) -> Iterator[Json]:
    """Some turns of a game, and all with points for the boar or rewards."""
    host = Host.of(seats, edition=edition, expansions=expansions, first=0, scheme=FAIR_1).start().pick()
    while host.state.stage is Stage.PLAYING:
        before = mover_view(host)["game"]
        host.play()
        event: Any = host.table.public_events(host.table.seq - 1)[0].public
        telling = event["points"]["boar"] or event["points"]["rewards"]
        if telling or len(host.state.turns) % 7 == 0:
            yield _turn(host, before, event)


def _turn(host: Host, before: Json, event: Json) -> Json:
    seat, state = before["to_move"], host.state.game
    assert state is not None, "a turn was played"
    return {
        "turn": event["turn"],
        "points": event["points"],
        "total": before["scores"][seat]["total"],
        "before": before["gardens"][seat],
        "after": view_of(host, None)["game"]["gardens"][seat],
        "connected": [write_square(square) for square in members(state.gardens[seat].connected)],
    }


def refusals(options: Options, number: int) -> list[Json]:
    """Refused turns that differ from a legal one in one part, some for each code."""
    found: dict[str, list[Json]] = {}
    for turn in _changed_turns(options, number):
        refusal = options.refusal(turn)
        if refusal is None:
            continue
        kept = found.setdefault(refusal.code.text, [])
        if len(kept) < OF_EACH_CODE:
            kept.append({"turn": write_turn(turn), **_written(refusal)})
    return [refused for code in sorted(found) for refused in found[code]]


def _changed_turns(options: Options, number: int) -> Iterator[Turn]:
    legal, draw = list(options), stream(number).below
    for _ in range(3000):
        turn = legal[draw(len(legal))]
        yield replace(turn, **_changed_part(options, turn, draw))


def _changed_part(options: Options, turn: Turn, draw: Callable[[int], int]) -> Json:
    """Another value for one part of a turn."""
    boars = (None, LEAVES, 9 + draw(45))
    changes: tuple[Json, ...] = (
        {"card": draw(len(CARDS))},
        {"space": draw(10)},
        {"square": 9 + draw(45)},
        {"square": options.own_square(turn.space), "gardener": False},
        {"gardener": not turn.gardener},
        {"boar": boars[draw(3)]},
        {"noble": draw(len(SQUARES))},
    )
    return changes[draw(len(changes))]


_WRITERS: dict[str, Callable[[int], Any]] = {
    "card": write_card,
    "square": write_square,
    "own": write_square,
    "column": write_column,
    "space": int,
}


def _written(refusal: Refusal) -> Json:
    details = {name: _WRITERS[name](value) for name, value in refusal.args}
    return {"code": refusal.code.text, "rule": refusal.rule, "details": details}


def refused() -> list[Json]:
    """Views of all variants, each with turns that the rules refuse."""
    found = []
    for number, (seats, edition, expansions) in enumerate(_VARIANTS):
        host = Host.of(seats, edition=edition, expansions=expansions, first=0, scheme=FAIR_1).start().pick()
        for turn in range(18 * seats):
            if turn in (0, 9 * seats + 1, 16 * seats):
                view, options = mover_view(host), _options(host)
                found.append({"view": view, "refused": refusals(options, 100 * number + turn)})
            host.play()
    return found


def solo() -> list[Json]:
    """A person against the computer, update by update: take back, step away, return, concede."""
    host = Host.of(2, computers=1, edition="imperial", expansions=["wild_boar"], first=0, scheme=FAIR_1)
    updates = [update_of(host, 0, -1)]

    def add_update() -> None:
        updates.append(update_of(host, 0, updates[-1]["seq"]))

    host.start().pick()
    add_update()
    host.play(2)
    add_update()
    host.play(3)
    host.do(TakeBack(), 0)
    add_update()
    host.play(2)
    add_update()
    host.do(StepAway(), 0)
    host.do(Return(), 0)
    add_update()
    host.do(Concede(), 0)
    host.do(Rematch("00000000000000aa"), 0)
    add_update()
    return updates


def company() -> Json:
    """Three people: one is voted away and returns, one concedes, and they abandon the game."""
    terms = make_settings(3, "ravensburger", [], first=0)
    chairs = [new_chair(Sitter.PERSON, "Ada"), OPEN, Chair()]
    host = Host(terms, chairs, scheme=FAIR_1)
    _sit_down(host)
    host.start().pick().play(2)
    host.do(Vote(2), 0, after=VOTE_DELAY + 1.0)
    host.play(1)
    host.do(Return(), 2)
    host.play(2)
    host.do(Abandon(), 0)
    host.do(Concede(), 1)
    host.play(2)
    for chair in (2, 0):
        host.do(Abandon(), chair)
    return update_of(host, 0, -1)


def _sit_down(host: Host) -> None:
    host.do(Sit(1, "Bob"), JOINER)
    host.do(AssignChair(2, "level:1", "Moss"), OWNER)
    host.do(AssignChair(2, None, ""), OWNER)
    host.do(Sit(2, "Cleo"), JOINER)
    host.do(LeaveChair(), 1)
    host.do(Sit(1, "Dora"), JOINER)


def timed() -> Json:
    """A clock runs out and the stand-in plays, as a spectator sees it."""
    clock = TimeControl(TimeControlKind.TURN, 30)
    host = Host.of(2, first=0, time_control=clock, scheme=FAIR_1).start().pick().play(1)
    host.do(TimeOut(1), SYSTEM, after=31.0)
    host.play(1)
    host.do(Return(), 1)
    return update_of(host, None, -1)


def steps() -> Json:
    """A whole game with every expansion, as the response to an uploaded record."""
    replay: Json = {**write_replay(read_record(RECORDS / "imperial-rewards-boar-2.json"))}
    return replay


def review() -> Json:
    """The same game with a made-up review."""
    return fake_review(RECORDS / "imperial-rewards-boar-2.json", "en")


def guided() -> dict[str, Json]:
    """Every chapter of the guided game: its start, and the events of its demonstrated turn."""
    return {chapter: _guided(chapter) for chapter in guided_game.CHAPTERS}


def _guided(chapter: str) -> Json:
    host = guided_game.table(chapter)
    begins = view_of(host, guided_game.SEAT)
    host.do(Play(guided_game.shown(chapter)), guided_game.SEAT)
    return {"begins": begins, "played": update_of(host, guided_game.SEAT, -1)}


FIXTURES: dict[str, Callable[[], Any]] = {
    "ravensburger-2": lambda: game(2, "ravensburger", [], (0, 13, 35)),
    "imperial-rewards-boar-4": lambda: game(4, "imperial", ["rewards", "wild_boar"], (0, 31, 71)),
    "boar-2": boar_views,
    "turns": turns,
    "refused": refused,
    "solo": solo,
    "company": company,
    "timed": timed,
    "steps": steps,
    "review": review,
    "guided": guided,
}


def written(name: str) -> str:
    """The current content of a file."""
    return json.dumps(FIXTURES[name](), separators=(",", ":"), ensure_ascii=False) + "\n"


def main() -> None:
    """Write all fixtures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in FIXTURES:
        (FOLDER / f"{name}.json").write_text(written(name), encoding="utf-8")


if __name__ == "__main__":
    main()
