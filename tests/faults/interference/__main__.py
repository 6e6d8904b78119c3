"""The rows of the table: ``python -m tests.faults.interference --pairs 2000``."""

import argparse
import sys

from ..table import write_table
from .comparison import PAIRS, compare
from .planting import plant_all


def main() -> int:
    """Print them; 1 if something has leaked, or a planted leak was not seen."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.interference", description=__doc__)
    parser.add_argument("--pairs", type=int, default=PAIRS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="begin with this pair")
    args = parser.parse_args()
    pairs = range(args.first, args.first + args.pairs)
    report = compare(pairs, args.seed, _tell)
    rows = [report.row(), plant_all(_tell)]
    print(write_table(rows))
    for leak in report.leaks:
        _tell(leak)
    return 0 if all(row.ok for row in rows) else 1


def _tell(text: str) -> None:
    print(text, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
