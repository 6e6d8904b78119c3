"""Compiles the kernel and prepares players, with a progress message."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from sanssouci.locale import printable

from .language import sentence
from .output import err

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

    from sanssouci.players import is_prepared, prepare_player

    programs = {player for player in names if not isinstance(player, str)}
    slow = [name for name in sorted({*map(str, names)} - {*map(str, programs)}) if not is_prepared(name)]

    def prepare() -> None:
        for name in slow:
            prepare_player(name)

    if slow:
        _say_while(prepare)
    for program in sorted(programs, key=str):
        with err().status(Text(sentence("cli.starting", player=printable(program)))):
            prepare_player(program)


def precompile_review() -> None:
    """Compile the units that reviews need."""
    from sanssouci.review import prepare, prepared

    if not prepared():
        _say_while(prepare)


def _say_while(work: Callable[[], None]) -> None:
    """A spinner on a terminal, removed when the work is done."""
    with err().status(sentence("cli.compiling")):
        work()
