"""Making the lessons, and checking them with the value network."""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from sanssouci.dealer import Seed, derive_seed, parse_seed
from sanssouci.locale import UserError
from sanssouci.network import shipped_network
from sanssouci.rules import SEATS

from .check_lessons import GAMES, ROLLOUTS, CheckResult, check
from .collection import FILE, Collection, parse_lessons, write_lessons
from .generate import make_lessons
from .lesson import Lesson
from .themes import THEMES


def main() -> int:
    """Do what the command line says; 1 if a lesson does not hold."""
    asked = _parser().parse_args()
    try:
        for seats in SEATS:  # without a network, stewards would judge
            shipped_network(seats)
        return _make(asked) if asked.command == "make" else _check(asked)
    except UserError as error:
        sys.exit(error.translate("en"))
    except OSError as error:
        sys.exit(f"{asked.file}: {error.strerror}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m sanssouci.lessons", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("make", help="keep the lessons that hold, and look through games for others")
    make.add_argument("--games", type=_count, default=100, help="how many games are played with each variant")
    make.add_argument("--seed", type=_seed, default="21", help="an integer, or 64 hex digits")
    make.add_argument("--themes", nargs="+", choices=THEMES, default=THEMES, help="themes of new lessons")
    check = commands.add_parser("check", help="solve every lesson again")
    check.add_argument("--runs", type=_count, default=3, help="how often, each time with other chance")
    check.add_argument("--seed", type=_seed, default="1", help="an integer, or 64 hex digits")
    check.add_argument("--rollouts", type=_count, default=ROLLOUTS, help="of each search")
    check.add_argument("--trial", type=_count, default=GAMES, help="imagined games of each turn compared")
    for command in (make, check):
        command.add_argument("--threads", type=_count, default=1, help="how many work at it at once")
        command.add_argument("--file", type=Path, default=FILE, help="where the lessons are")
    return parser


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 1 on")
    return int(text)


def _seed(text: str) -> Seed:
    try:
        return parse_seed(text)
    except UserError as user_error:
        raise argparse.ArgumentTypeError(user_error.translate("en")) from None


def _make(asked: argparse.Namespace) -> int:
    asked.file.open("ab").close()  # report a file that cannot be written before playing games
    old = _read(asked.file) if asked.file.stat().st_size else Collection()

    def report(text: str) -> None:
        print(text, file=sys.stderr, flush=True)

    found = make_lessons(old, asked.seed, asked.games, asked.threads, report, asked.themes)
    asked.file.write_text(write_lessons(found), encoding="utf-8")
    kept = {lesson.id for lesson in old.lessons} & {lesson.id for lesson in found.lessons}
    print(f"{len(found.lessons)} lessons in {asked.file}, {len(kept)} of them kept")
    return 0


def _read(file: Path) -> Collection:
    text = file.read_bytes()
    try:
        return parse_lessons(text.decode("utf-8"))
    except Exception as error:  # whatever is wrong in it, it is no file of lessons
        sys.exit(f"{file}: no file of lessons ({type(error).__name__})")


def _check(asked: argparse.Namespace) -> int:
    lessons, failed = _read(asked.file).lessons, 0
    tasks = [(lesson, run) for lesson in lessons for run in range(1, asked.runs + 1)]

    def again(task: tuple[Lesson, int]) -> CheckResult:
        lesson, run = task
        return check(lesson, derive_seed(asked.seed, f"run {run}"), asked.rollouts, asked.trial)

    with ThreadPoolExecutor(asked.threads) as pool:
        for (_, run), finding in zip(tasks, pool.map(again, tasks), strict=True):
            failed += not finding.holds
            print(f"run {run}, {finding}", flush=True)
    print(f"{len(lessons)} lessons, {asked.runs} runs each: {failed} did not hold")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
