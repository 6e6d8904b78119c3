"""What takes long only the first time, said while it is done."""

from collections.abc import Callable

from .language import sentence
from .output import err


def prepare_kernel(job: str) -> None:
    """Compile what a job of the kernel needs, if that was never done on this machine."""
    from sanssouci.kernel import is_warm, warm_up

    if not is_warm(job):
        _say_while(lambda: warm_up(job))


def prepare_players(names: tuple[str, ...]) -> None:
    """Let every player do what it must do once before its first game."""
    from sanssouci.players import is_prepared, prepare_player

    slow = [name for name in sorted(set(names)) if not is_prepared(name)]

    def prepare() -> None:
        for name in slow:
            prepare_player(name)

    if slow:
        _say_while(prepare)


def prepare_review() -> None:
    """Compile what it takes to judge play."""
    from sanssouci.review import prepare, prepared

    if not prepared():
        _say_while(prepare)


def _say_while(work: Callable[[], None]) -> None:
    """A line that moves, on a terminal, and is gone when the work is done."""
    with err().status(sentence("cli.compiling")):
        work()
