"""Players by entry point: found without import, and broken ones reported in one sentence."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from sanssouci.players import (
    BrokenPlayer,
    Budget,
    PlayerFault,
    RandomPlayer,
    UnknownPlayer,
    ask_pick,
    ask_turn,
    check_player,
    make_player,
    player_names,
)
from sanssouci.players.registry import _factory, _installed
from sanssouci.rules import SetupView, Turn, View

from ..helpers import a_state, garden, stream
from ..player_packages import install, install_all


def clear_caches() -> None:
    """Clear the registry's caches, so that packages are searched again."""
    _installed.cache_clear()
    _factory.cache_clear()


@pytest.fixture
def player_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for player packages, on the import path."""
    monkeypatch.syspath_prepend(str(tmp_path))
    clear_caches()
    yield tmp_path
    sys.modules.pop("misbehaving", None)
    clear_caches()


def test_built_in_players_are_entry_points() -> None:
    """Built-in players are declared like third-party ones, and selected by name."""
    assert "random" in player_names() and list(player_names()) == sorted(player_names())
    assert isinstance(make_player("random", stream(1)), RandomPlayer)
    assert isinstance(make_player("random", stream(1), Budget(seconds=0.1)), RandomPlayer)
    with pytest.raises(UnknownPlayer, match="no player “chess”; the players are person, "):
        check_player("chess", also=("person",))


def test_a_budget_in_a_name() -> None:
    """A budget after @ replaces the general one, except for the threads; invalid ones are refused."""
    budgets = {"planner@0.25s": Budget(0.25), "planner@3s": Budget(3.0), "planner@7": Budget(None, 7)}
    for name, budget in budgets.items():
        check_player(name)
        player = make_player(name, stream(1), Budget(9, 9, threads=2))
        assert vars(player)["_budget"] == replace(budget, threads=2)
    for limit in ("", "0", "0s", "-1", "1e9s", "٣", "1@"):
        with pytest.raises(UnknownPlayer, match="has no valid budget"):
            check_player(f"planner@{limit}")
    with pytest.raises(UnknownPlayer, match="no player “chess”"):
        check_player("chess@5")


def test_names_are_known_without_importing_anything(player_folder: Path) -> None:
    """A plug-in that fails on import is listed, and fails only when it is created."""
    install(player_folder, "broken_bot", "raise ImportError('a library is missing')", broken="Bot")
    assert "broken" in player_names()
    check_player("broken")
    assert "broken_bot" not in sys.modules
    make_player("random", stream(1))
    with pytest.raises(
        BrokenPlayer, match="“broken” cannot be loaded from broken_bot:Bot: ImportError: a lib"
    ):
        make_player("broken", stream(1))
    with pytest.raises(BrokenPlayer):
        make_player("broken", stream(1))


@pytest.mark.parametrize(
    "source", ["import no_such_module_at_all", "def :", "import sys; sys.exit(3)", "x = 1"]
)
def test_import_errors_are_one_sentence(player_folder: Path, source: str) -> None:
    """A missing module, a syntax error, an exit and a missing class give one sentence."""
    install(player_folder, "odd_bot", source, odd="Bot")
    with pytest.raises(BrokenPlayer) as caught:
        make_player("odd", stream(1))
    assert str(caught.value).isprintable() and "“odd”" in str(caught.value)
    sys.modules.pop("odd_bot", None)


def test_invalid_factories_are_reported(player_folder: Path) -> None:
    """A factory that raises, returns no player or is not callable is reported."""
    install_all(player_folder)
    for name, message in (
        ("unmade", "cannot be created: RuntimeError: not today"),
        ("nothing", "needs the methods pick"),
    ):
        with pytest.raises(BrokenPlayer, match=message):
            make_player(name, stream(1))
    source = """
        class Mute(Exception):
            def __str__(self):
                raise ValueError
        def bot(stream, budget):
            raise Mute
        thing = 5
    """
    install(player_folder, "mute_bot", source, mute="bot", thing="thing")
    clear_caches()
    with pytest.raises(BrokenPlayer, match="created: Mute"):
        make_player("mute", stream(1))
    with pytest.raises(BrokenPlayer, match="TypeError"):
        make_player("thing", stream(1))


def test_duplicate_names_are_refused(player_folder: Path) -> None:
    """A name of two packages is refused with both packages, when it is used."""
    for module in ("one_bot", "two_bot"):
        install(player_folder, module, "", same="Bot")
    check_player("random")
    assert player_names().count("same") == 1
    with pytest.raises(BrokenPlayer, match=r"“same”: (one.bot, two.bot|two.bot, one.bot); remove"):
        check_player("same")


def test_one_player_listed_by_two_distributions_is_no_conflict(player_folder: Path) -> None:
    """The same code listed by an old and a new distribution name is not a duplicate."""
    install(player_folder, "old_name", "")
    (player_folder / "old_name-1.0.dist-info" / "entry_points.txt").write_text(
        "[sanssouci.players]\nrandom = sanssouci.players.random:RandomPlayer\n", encoding="utf-8"
    )
    clear_caches()
    check_player("random")
    assert make_player("random", stream(1)) is not None


def test_asking_a_player_gives_a_choice_or_a_fault() -> None:
    """R20: a wrong type is a fault with seat, turn and reason; integer-like values are converted."""
    state = a_state(garden("\n".join(["#########"] + ["........."] * 5)), "a 24", "abcdefghib")
    view = state.view(0)

    class Odd(RandomPlayer):
        answer: object = None

        def decide(self, view: View) -> Turn:
            return self.answer  # type: ignore[return-value]

        def pick(self, view: SetupView) -> int:
            return self.answer  # type: ignore[return-value]

    odd = Odd(stream(1))
    with pytest.raises(PlayerFault, match="seat 1, turn 1: the player returned None instead of Turn"):
        ask_turn(odd, view, lambda turn: turn)
    odd.answer = Turn("a", 0, 9)  # type: ignore[arg-type]
    with pytest.raises(PlayerFault, match="the player returned 'a' instead of int"):
        ask_turn(odd, view, lambda turn: turn)

    class Number:
        """An integer type of another library."""

        def __index__(self) -> int:
            return 9

    odd.answer = Turn(0, 0, Number())  # type: ignore[arg-type]
    assert ask_turn(odd, view, lambda turn: turn) == Turn(0, 0, 9)
    odd.answer = Number()
    assert ask_pick(odd, view, lambda side: side) == 9  # type: ignore[arg-type]
    odd.answer = "left"
    with pytest.raises(PlayerFault, match="seat 1, before the first turn: the player returned 'left'"):
        ask_pick(odd, view, lambda side: side)  # type: ignore[arg-type]


def test_listing_players_loads_no_player_module(player_folder: Path) -> None:
    """Listing and checking players imports no module of a player."""
    install_all(player_folder)
    code = (
        "import sys, sanssouci.players as p; before = set(sys.modules)\n"
        "print(p.player_names()); p.check_player('first'); p.check_player('random')\n"
        "print([m for m in set(sys.modules) - before if 'misbehaving' in m or m.startswith('sanssouci.')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(player_folder)},
    )
    names, loaded = done.stdout.splitlines()
    assert "'mortal'" in names and loaded == "[]"
