"""Compiles the kernel and prepares players, with a progress message."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sanssouci.locale import UserError, printable

from .language import sentence
from .output import err, print_notice

if TYPE_CHECKING:
    from sanssouci.players import ExternalEngine


def precompile_kernel(job: str) -> None:
    """Compile a unit of the kernel, if this machine has not done so before."""
    from sanssouci.kernel import is_compiled, precompile

    if not is_compiled(job):
        _say_while(lambda: precompile(job))


def precompile_players(names: "tuple[str | ExternalEngine, ...]") -> None:
    """Run the one-time preparation of every player."""
    from rich.text import Text

    from sanssouci.players import is_prepared, player_faults, prepare_player

    programs = {player for player in names if not isinstance(player, str)}
    plain = sorted({*map(str, names)} - {*map(str, programs)})
    slow = [name for name in plain if not is_prepared(name)]

    def prepare() -> None:
        for name in slow:
            prepare_player(name)

    if slow:
        _say_while(prepare)
    for program in sorted(programs, key=str):
        with err().status(Text(sentence("cli.starting", player=printable(program)))):
            prepare_player(program)
    _report_faults(fault for name in plain for fault in player_faults(name))


def precompile_review() -> None:
    """Compile the units that reviews need."""
    from sanssouci.network import network_faults
    from sanssouci.review import prepare, prepared

    if not prepared():
        _say_while(prepare)
    _report_faults(network_faults())


def _report_faults(faults: Iterable[UserError]) -> None:
    """Say once what is done without."""
    for text in dict.fromkeys(sentence(fault.key, **fault.details) for fault in faults):
        print_notice(text)


def _say_while(work: Callable[[], None]) -> None:
    """A spinner on a terminal, removed when the work is done."""
    with err().status(sentence("cli.compiling")):
        work()
