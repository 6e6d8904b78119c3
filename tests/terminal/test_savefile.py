"""Saved games: complete, never executed, and invalid files reported in one sentence."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sanssouci.dealer import FairDealer, prove
from sanssouci.editions import load_edition
from sanssouci.locale import UserError
from sanssouci.notation import parse_record, verify, write_record
from sanssouci.rules import IMPERIAL, Variant
from sanssouci.terminal import PERSON, AutoSave, Seat, Session, latest_game, read_game, write_game

BOTH = Variant(2, IMPERIAL, rewards=True, wild_boar=True)


def a_session(variant: Variant = BOTH) -> Session:
    """A new game between a person and a computer player."""
    seats = (Seat("Ada", PERSON), *(Seat(f"Computer {n}", "random") for n in range(2, variant.seats + 1)))
    dealer = FairDealer(bytes(32), "test", ("aa",) * variant.seats)
    return Session(variant, load_edition(variant.edition).boards, seats, dealer)


def advance(session: Session, steps: int) -> None:
    """Make some picks and turns."""
    for _ in range(steps):
        if seats := session.seats_to_pick():
            session.pick(seats[0], 1)
        elif not session.over:
            session.play(next(iter(session.state.options())))


def test_a_saved_game_is_restored_at_any_moment(tmp_path: Path) -> None:
    """R9, R12: a game is restored before, between and after picks, and at the end."""
    session, path = a_session(), tmp_path / "deep" / "game.json"
    for _ in range(45):
        write_game(session, path)
        again = read_game(path)
        assert again.setup == session.setup and again.turns == session.turns
        assert again.states == session.states and again.seats == session.seats
        if not session.seats_to_pick() and not session.over:
            seat = session.state.to_move
            if seat:
                view = session.state.view(seat)
                assert again.computer(seat).decide(view) == session.computer(seat).decide(view)
        advance(session, 1)
    assert session.over and read_game(path).over
    assert [found.name for found in path.parent.iterdir()] == ["game.json"]


def test_a_player_with_a_budget_can_be_saved(tmp_path: Path) -> None:
    """A budget is restored; excessive or invalid ones in a file are refused."""
    path = tmp_path / "game.json"
    session = a_session()
    session.seats = (session.seats[0], Seat("Plan", "planner@0.05s"))
    write_game(session, path)
    assert read_game(path).seats == session.seats
    for name in ("planner@999999999s", "planner@", "level:9", 7):
        document = json.loads(path.read_bytes())
        document["seats"][1]["player"] = name
        path.write_text(json.dumps(document), encoding="utf-8")
        with pytest.raises(UserError, match="there is no player"):
            read_game(path)


def test_the_record_of_a_session_is_legal_and_proved() -> None:
    """R25-R28: the record of a terminal game is legal and proved."""
    session = a_session()
    advance(session, 20)
    verify(parse_record(write_record(session.record())))
    advance(session, 40)
    record = parse_record(write_record(session.record()))
    assert verify(record).over
    prove(record)


def test_the_last_unfinished_game_is_found(tmp_path: Path) -> None:
    """The latest unfinished game is found; invalid files give a warning."""
    warned: list[UserError] = []
    with pytest.raises(UserError, match="no unfinished game"):
        latest_game(tmp_path / "nowhere", warned.append)
    for number, steps in enumerate((5, 10, 60)):
        session = a_session()
        advance(session, steps)
        write_game(session, tmp_path / f"{number}.json")
        os.utime(tmp_path / f"{number}.json", (number, number))
    (tmp_path / "invalid.json").write_text("garbage")
    (tmp_path / "dangling.json").symlink_to("nowhere")
    (tmp_path / "folder.json").mkdir()
    assert latest_game(tmp_path, warned.append).name == "1.json", "invalid files are skipped"
    assert {"invalid", "folder"} <= {
        str(user_error).split(".json")[0].split("/")[-1] for user_error in warned
    }


def test_autosave_continues_after_a_write_error(tmp_path: Path) -> None:
    """A write error gives one warning, and the game continues; files are for the owner only."""
    warned: list[UserError] = []
    session = a_session()
    (tmp_path / "file").write_text("")
    blocked = AutoSave(session, tmp_path / "file" / "game.json", warned.append)
    blocked.keep()
    blocked.keep()
    assert not blocked.kept and len(warned) == 1
    autosave = AutoSave(session, tmp_path / "game.json", warned.append)
    autosave.keep()
    assert autosave.kept and (tmp_path / "game.json").stat().st_mode & 0o077 == 0


def test_two_programs_on_one_game_do_not_overwrite_each_other(tmp_path: Path) -> None:
    """The second program gets a warning, and the first one's file is kept."""
    warned: list[UserError] = []
    path = tmp_path / "game.json"
    write_game(a_session(), path)
    first, second = (AutoSave(read_game(path), path, warned.append) for _ in range(2))
    advance(first.session, 1)
    first.keep()
    advance(second.session, 1)
    second.keep()
    assert first.kept and not second.kept and "Another program" in str(warned[0])
    assert len(warned) == 1


Change = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.update(format="sanssouci-save/9"), "sanssouci-save/1"),
        (lambda d: d.pop("format"), "cannot|does not contain"),
        (lambda d: d.update(seats=[]), "does not contain"),
        (lambda d: d["seats"][1].update(player="sh:touch /tmp/never"), "sh:touch"),
        (lambda d: d["seats"][1].update(player=7), "there is no player"),
        (lambda d: d["seats"][0].update(name="\x1b[2J"), "does not contain"),
        (lambda d: d["seats"][0].update(name=3), "does not contain"),
        (lambda d: d.update(seed="lucky"), "not a seed"),
        (lambda d: d.update(nonces=[1, 2]), "does not contain"),
        (lambda d: d.update(edition="deluxe"), "does not contain"),
        (lambda d: d.update(expansions=["dragons"]), "does not contain"),
        (lambda d: d.update(boards="junk ="), "not valid TOML"),
        (lambda d: d.update(picks=[[9, 9], []]), "does not contain"),
        (lambda d: d.update(picks=7), "does not contain"),
        (lambda d: d.update(picks=[[0.5, "0"], []]), "does not contain"),
        (lambda d: d["turns"].insert(0, "a@0-a2"), "does not contain|R14"),
        (lambda d: d["turns"].append("nonsense"), "not a turn"),
        (lambda d: d["turns"].append(5), "does not contain"),
    ],
)
def test_an_invalid_save_is_refused_in_one_sentence(tmp_path: Path, change: Change, message: str) -> None:
    """An invalid file gives a user error, and nothing in it is executed."""
    path = tmp_path / "game.json"
    session = a_session()
    advance(session, 9)
    write_game(session, path)
    document = json.loads(path.read_bytes())
    change(document)
    path.write_text(json.dumps(document))
    with pytest.raises(UserError, match=message):
        read_game(path)


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b"\xff", b'"text"', b"null", b"[" * 1000])
def test_other_files_are_refused(tmp_path: Path, data: bytes) -> None:
    """Files that are not saved games, and folders, give a user error."""
    (tmp_path / "game.json").write_bytes(data)
    with pytest.raises(UserError):
        read_game(tmp_path / "game.json")
    with pytest.raises(UserError):
        read_game(tmp_path)
