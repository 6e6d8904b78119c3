"""The row of the table: ``python -m tests.faults.interference --pairs 2000``."""

import argparse
import sys

from ..table import write_table
from .comparison import compare


def main() -> None:
    """Print the row."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="begin with this pair")
    args = parser.parse_args()
    pairs = range(args.first, args.first + args.pairs)
    report = compare(pairs, args.seed, lambda text: print(text, file=sys.stderr))
    print(write_table([report.row()]))
    print(*report.leaks, sep="\n")


if __name__ == "__main__":
    main()
