"""Apply every mutant, one at a time, and check that its tests fail: ``python -m tests.mutants [NAME
...]``.

The tests are run without a fault first, and must pass. Exit code 1: a mutant survived. Exit code 2: the tests
fail without a fault, or a mutant is broken: its patch does not apply, or its tests do not run.
"""

import argparse
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from enum import Enum
from functools import partial
from queue import SimpleQueue
from typing import TypeVar

from filelock import FileLock

from ..share import Share
from .mutant import Kind, Mutant, Target, all_mutants, select
from .workspace import HOME, Broken, Workspace, stopwatch

T = TypeVar("T")


class Verdict(Enum):
    """The outcome of a mutant."""

    CAUGHT = "caught"
    SURVIVED = "SURVIVED"
    BROKEN = "BROKEN"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Result:
    """One line of the table."""

    mutant: Mutant
    verdict: Verdict
    detail: str
    seconds: float

    def __str__(self) -> str:
        return f"{self.verdict.value:8}  {self.mutant.name:48}  {self.seconds:6.1f} s  {self.detail}"


class Pool:
    """A pool of workspaces, each used by one thread at a time."""

    def __init__(self, jobs: int) -> None:
        self._workspaces = [Workspace(number) for number in range(1, jobs + 1)]
        self._free: SimpleQueue[Workspace] = SimpleQueue()

    def prepare(self) -> None:
        for workspace in self._workspaces:
            workspace.prepare()
            self._free.put(workspace)

    def map(self, work: Sequence[Callable[[Workspace], T]]) -> list[T]:
        """The results of all pieces of work, in order; Ctrl-C stops running work."""
        with ThreadPoolExecutor(len(self._workspaces)) as threads:
            try:
                return list(threads.map(self._with_workspace, work))
            except BaseException:
                threads.shutdown(wait=False, cancel_futures=True)
                for workspace in self._workspaces:
                    workspace.stop()
                raise

    def _with_workspace(self, work: Callable[[Workspace], T]) -> T:
        workspace = self._free.get()
        try:
            return work(workspace)
        finally:
            self._free.put(workspace)


def groups(mutants: Iterable[Mutant]) -> list[list[Target]]:
    """All targets in few runs: one per area, one for vitest, and one per test with keywords."""
    found: dict[str, dict[Target, None]] = defaultdict(dict)
    keywords: dict[str, dict[str, None]] = defaultdict(dict)
    for mutant in mutants:
        for target in mutant.targets:
            if target.keyword:
                keywords[target.name][target.keyword] = None
            else:
                area = mutant.area if target.kind is Kind.PYTEST else target.kind.value
                found[area][target] = None
    with_keywords = [Target(Kind.PYTEST, name, " or ".join(words)) for name, words in keywords.items()]
    return [*([target] for target in with_keywords), *(list(targets) for targets in found.values())]


def check_clean(targets: Sequence[Target], workspace: Workspace) -> str:
    """Run targets without a fault; return an error, or an empty string if all pass."""
    with stopwatch() as taken:
        try:
            found = workspace.run(targets).caught_by
        except Broken as broken:
            found = str(broken)
    print(f"clean     {', '.join(map(str, targets))[:90]}  {taken[0]:.1f} s", flush=True)
    return f"fails without a fault: {found}" if found else ""


def try_mutant(mutant: Mutant, targets: Sequence[Target], workspace: Workspace) -> Result:
    """Apply one mutant and run tests."""
    verdict, detail = Verdict.BROKEN, ""
    with stopwatch() as taken:
        try:
            with workspace.planted(mutant):
                run = workspace.run(targets, mutant.is_compiled)
            verdict = Verdict.CAUGHT if run.caught_by else Verdict.SURVIVED
            detail = run.caught_by
            if run.skipped and not run.caught_by:
                verdict, detail = Verdict.SKIPPED, "every test was skipped"
        except Broken as broken:
            detail = str(broken)
    result = Result(mutant, verdict, detail, taken[0])
    print(result, flush=True)
    return result


def run_all(mutants: Sequence[Mutant], chosen: Sequence[Target], jobs: int, clean: bool) -> int:
    """Try all mutants with the chosen tests, or those of their headers; return the exit code."""
    pool = Pool(jobs)
    pool.prepare()
    if clean:
        runs = [chosen] if chosen else groups(mutants)
        wrong = [text for text in pool.map([partial(check_clean, targets) for targets in runs]) if text]
        if wrong:
            print(*wrong, sep="\n", file=sys.stderr)
            return 2
    return report(pool.map([partial(try_mutant, mutant, chosen or mutant.targets) for mutant in mutants]))


def report(results: Sequence[Result]) -> int:
    """Print the table; return the exit code."""
    print("", *sorted(map(str, results)), sep="\n")
    count = {verdict: sum(result.verdict is verdict for result in results) for verdict in Verdict}
    print(f"\n{count[Verdict.CAUGHT]} of {len(results)} caught", end="")
    print(f", {count[Verdict.SKIPPED]} skipped" if count[Verdict.SKIPPED] else "")
    if count[Verdict.BROKEN]:
        return 2
    return 1 if count[Verdict.SURVIVED] or count[Verdict.SKIPPED] else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="make mutants ARGS=…", description="Plant faults; tests must fail.")
    parser.add_argument("names", nargs="*", help="mutants, as area/name or name; all if none is named")
    parser.add_argument("--area", action="append", default=[], help="all mutants of an area; may be repeated")
    parser.add_argument("--jobs", type=int, default=2, help="copies of the tree that are worked in at once")
    parser.add_argument("--share", default="1/1", help="such as 3/5: the third of five shares of them")
    parser.add_argument(
        "--tests", action="append", default=[], help="run these tests instead of the named ones"
    )
    parser.add_argument("--no-clean", action="store_true", help="do not run the tests without a fault first")
    parser.add_argument("--list", action="store_true", help="list the mutants and their tests")
    options = parser.parse_args()
    try:
        share = Share.parse(options.share)
        mutants = [one for one in select(all_mutants(), options.names, options.area) if one.name in share]
    except ValueError as error:
        parser.error(str(error))
    if not mutants and share.is_whole:
        parser.error("there is no such mutant")
    if options.list:
        for mutant in mutants:
            print(f"{mutant.name}: {mutant.description} [{', '.join(map(str, mutant.targets))}]")
        return 0
    chosen, jobs = [Target.parse(text) for text in options.tests], max(options.jobs, 1)
    HOME.mkdir(parents=True, exist_ok=True)
    started = time.monotonic()
    with FileLock(HOME / "lock"):
        code = run_all(mutants, chosen, jobs, not options.no_clean)
    print(f"{time.monotonic() - started:.0f} seconds")
    return code


if __name__ == "__main__":
    sys.exit(main())
