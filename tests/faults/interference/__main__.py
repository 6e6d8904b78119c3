"""Prints the rows of the non-interference test: ``python -m tests.faults.interference --pairs 2000``."""

import argparse
import sys

from ..report import write_table
from .comparison import PAIRS, compare
from .planting import plant_all


def main() -> int:
    """Print the rows. Returns 1 if something has leaked, or a planted leak was not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.interference", description=__doc__)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="begin with this pair")
    args = parser.parse_args()
    pairs = range(args.first, args.first + args.pairs)
    report = compare(pairs, args.seed, _print_progress)
    rows = [report.row(), plant_all(_print_progress)]
    print(write_table(rows))
    for leak in report.leaks:
        _print_progress(leak)
    return 0 if all(row.ok for row in rows) else 1


def _print_progress(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
