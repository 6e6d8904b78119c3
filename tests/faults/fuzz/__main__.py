"""Prints the row of the fuzz test: ``python -m tests.faults.fuzz --messages 200000``."""

import argparse
import sys

from ..report import write_table
from .attack import MESSAGES, run


def main() -> int:
    """Print the row. Returns 1 if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.fuzz", description=__doc__)
    parser.add_argument("--messages", type=int, default=MESSAGES)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    row = run(options.messages, options.seed, lambda text: print(text, file=sys.stderr))
    print(write_table([row]))
    return 0 if row.ok else 1


if __name__ == "__main__":
    sys.exit(main())
