"""Third-party player packages without installing them: a module and its metadata."""

from pathlib import Path
from textwrap import dedent


def install(folder: Path, module: str, source: str, **players: str) -> Path:
    """Write a package to a folder; ``players`` maps the names of entry points to module attributes."""
    (folder / f"{module}.py").write_text(dedent(source), encoding="utf-8")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    lines = [f"{name} = {module}:{attribute}" for name, attribute in players.items()]
    (info / "entry_points.txt").write_text("\n".join(["[sanssouci.players]", *lines, ""]))
    return folder


PLAYERS = '''
    """Players that misbehave in the arena."""

    import os
    import signal
    import time
    from multiprocessing import parent_process
    from pathlib import Path

    from sanssouci.players import RandomPlayer
    from sanssouci.rules import Turn

    HERE = Path(__file__).parent


    class First(RandomPlayer):
        """Plays the first legal turn, and prints to standard output."""

        def decide(self, view):
            if view.turn < 2:
                print("the first turn is as good as any")
            return next(iter(view.options()))


    class Mortal(First):
        """Kills its process in three games, once each, and leaves a file for each."""

        def decide(self, view):
            mark = HERE / f"dead-{view.unplayed[0]}-{view.hand}-{view.seat}"
            if view.turn == 7 and len(list(HERE.glob("dead-*"))) < 3 and not mark.exists():
                mark.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return super().decide(view)


    class Deadly(First):
        """Kills its process at the second seat."""

        def decide(self, view):
            if view.seat == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            return super().decide(view)


    class Raising(First):
        def decide(self, view):
            if view.turn >= 4:
                raise LookupError("no idea\\nwhat to do")
            return super().decide(view)


    class Interrupting(First):
        """Raises a BaseException at the second seat."""

        def decide(self, view):
            if view.seat == 1:
                raise KeyboardInterrupt
            return super().decide(view)


    class Counting(First):
        """Writes the configured numbers of threads to a file."""

        def decide(self, view):
            names = ("OMP", "OPENBLAS", "MKL", "NUMBA")
            (HERE / "threads").write_text(" ".join(os.environ[f"{name}_NUM_THREADS"] for name in names))
            return super().decide(view)


    class Cheating(First):
        def decide(self, view):
            turn = super().decide(view)
            return Turn(turn.card, turn.space, turn.square, turn.gardener, turn.boar, noble=turn.square + 9)


    class Sided(First):
        def pick(self, view):
            return 7


    class Endless(First):
        """Never answers, and leaves a file with its process id."""

        def decide(self, view):
            (HERE / f"pid-{os.getpid()}").touch()
            while True:
                time.sleep(0.01)


    def factory_that_raises(stream, budget):
        raise RuntimeError("not today")


    def factory_that_interrupts(stream, budget):
        if parent_process() is not None:
            raise KeyboardInterrupt
        return First(stream, budget)


    def factory_of_nothing(stream, budget):
        return None
'''


def install_all(folder: Path) -> Path:
    """Install all players above."""
    folder.mkdir(exist_ok=True)
    classes = "First Mortal Deadly Raising Interrupting Counting Cheating Sided Endless"
    names = {name.lower(): name for name in classes.split()}
    made = {"unmade": "factory_that_raises", "nothing": "factory_of_nothing", "absent": "nowhere"}
    return install(folder, "misbehaving", PLAYERS, moody="factory_that_interrupts", **names, **made)
