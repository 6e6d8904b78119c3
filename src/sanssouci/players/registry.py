"""The installed players: entry points of the group ``sanssouci.players``, including this project's own.

Names are read from the metadata of installed packages. A player's module is imported when the first player of
that name is created, so a broken plug-in affects only those who use it.
"""

import re
from dataclasses import replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from sanssouci.dealer import Stream
from sanssouci.locale import UserError, printable

from .engine_process import EngineFault
from .external_engine import PREFIX, EnginePlayer, ExternalEngine, check_engine
from .player import Budget, Player

GROUP = "sanssouci.players"
MOST_SECONDS, MOST_ROLLOUTS = 3600, 10_000_000
"""The largest budgets in a name, so that a name in a file cannot start a search that takes days."""


class UnknownPlayer(UserError):
    """A name that no player has."""


class BrokenPlayer(UserError):
    """A player that is installed but cannot be made."""


def player_names() -> tuple[str, ...]:
    """The names of all players that are installed, sorted; nothing is imported."""
    return tuple(sorted(_installed()))


def check_player(name: str, also: tuple[str, ...] = ()) -> None:
    """``UserError`` unless exactly one player has this name, or it is one of ``also``."""
    if name in also:
        return
    if name.startswith(PREFIX):
        raise UnknownPlayer("player.only_typed", name=name)
    name, _ = _split_budget(name)
    found = _installed().get(name, ())
    if not found:
        raise UnknownPlayer("player.unknown", name=name, known=", ".join((*also, *player_names())))
    if len(found) > 1:
        raise BrokenPlayer("player.twice", name=name, packages=", ".join(map(_package, found)))


def own_player_names() -> tuple[str, ...]:
    """The players whose code is part of this project, sorted; nothing is imported."""
    package = __name__.partition(".")[0] + "."
    found = _installed().items()
    return tuple(
        sorted(name for name, entries in found if all(entry.module.startswith(package) for entry in entries))
    )


def package_of(name: str) -> str:
    """The package that a player comes from; several, separated by commas, if they claim the same name."""
    return ", ".join(map(_package, _installed()[name]))


def make_player(
    name: str | ExternalEngine,
    stream: Stream,
    budget: Budget = Budget(),  # noqa: B008 - it is frozen
) -> Player:
    """A new player by its name, for one seat of one game; a text never runs a program.

    ``planner@0.1s`` and ``planner@2000`` have a budget of their own.
    """
    if isinstance(name, ExternalEngine):
        return EnginePlayer(name, stream, budget)
    factory, own = _maker(name)
    if own is not None:
        budget = replace(own, threads=budget.threads)
    try:
        player: Player = factory(stream, budget)
    except (Exception, SystemExit) as error:
        raise BrokenPlayer("player.not_made", name=name, reason=describe_error(error)) from error
    if not all(callable(getattr(player, method, None)) for method in ("pick", "decide")):
        raise BrokenPlayer("player.no_methods", name=name)
    return player


def is_prepared(name: str) -> bool:
    """Whether a player can start without delay: ``prepared()`` of its factory, if it has one."""
    return bool(_ask_factory(name, "prepared", True))


def prepare_player(name: str | ExternalEngine) -> None:
    """Do the slow preparations of a player before its first game: ``prepare()`` of its factory.

    A program is started, and must say hello.
    """
    if isinstance(name, ExternalEngine):
        _prepare_engine(name)
        return
    _ask_factory(name, "prepare", None)


def player_faults(name: str) -> tuple[UserError, ...]:
    """What a player has to do without, such as a damaged file: ``faults()`` of its factory, if it has one."""
    found: tuple[UserError, ...] = _ask_factory(name, "faults", ())  # type: ignore[assignment]
    return found


def _prepare_engine(program: ExternalEngine) -> None:
    try:
        check_engine(program)
    except EngineFault as fault:
        raise BrokenPlayer("player.not_made", name=str(program), reason=fault) from None


def _ask_factory(name: str, question: str, otherwise: object) -> object:
    factory, _ = _maker(name)
    method = getattr(factory, question, None)
    try:
        return method() if callable(method) else otherwise
    except (Exception, SystemExit) as error:
        raise BrokenPlayer("player.not_made", name=name, reason=describe_error(error)) from error


def describe_error(error: BaseException) -> str:
    """An exception of third-party code in one line, even if its own ``__str__`` fails."""
    try:
        text = " ".join(str(error).split())
    except Exception:
        text = ""
    kind = type(error).__name__
    return printable(f"{kind}: {text}" if text else kind)


@cache
def _installed() -> dict[str, tuple[EntryPoint, ...]]:
    """Entry points by name. Two distributions that name the same code do not conflict.

    An environment from before the distribution was renamed may still list the old one.
    """
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for entry in entry_points(group=GROUP):
        others = found.get(entry.name, ())
        if all(other.value != entry.value for other in others):
            found[entry.name] = (*others, entry)
    return found


def _split_budget(name: str) -> tuple[str, Budget | None]:
    """A player's name and the budget behind it, if there is one: rollouts, or seconds with an ``s``."""
    plain, sign, limit = name.rpartition("@")
    if not sign or name in _installed():
        return name, None
    found = re.fullmatch(r"(\d{1,9}(?:\.\d{1,9})?)s|(\d{1,9})", limit, re.ASCII)
    seconds, rollouts = (float(found[1] or 0), int(found[2] or 0)) if found else (0.0, 0)
    if not (0 < seconds <= MOST_SECONDS or 0 < rollouts <= MOST_ROLLOUTS):
        raise UnknownPlayer(
            "player.bad_budget", name=name, plain=plain, seconds=MOST_SECONDS, rollouts=MOST_ROLLOUTS
        )
    return plain, Budget(seconds or None, rollouts or None)


def _maker(name: str) -> tuple[Any, Budget | None]:
    """The factory of a name, and the budget in the name if the player uses one."""
    plain, budget = _split_budget(name)
    factory = _factory(plain)
    spends = getattr(factory, "spends", ("seconds", "rollouts"))  # a third-party player may use both
    if budget is not None and all(getattr(budget, limit) is None for limit in spends):
        raise UnknownPlayer("player.no_budget", name=name, plain=plain)
    return factory, budget


@cache
def _factory(name: str) -> Any:
    """The factory of a name; whether it is callable shows when it is called."""
    check_player(name)
    (entry,) = _installed()[name]
    try:
        return entry.load()
    except (Exception, SystemExit) as error:
        reason = describe_error(error)
        raise BrokenPlayer("player.not_loaded", name=name, source=entry.value, reason=reason) from error


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value
