"""Everything that takes too long for ``make test``: ``make test-all``, or a share with ``SHARE=3/5``.

Each step prints its command, so that it can be repeated alone. A failure does not stop the run; failed
commands are listed at the end.
"""

import argparse
import shlex
import subprocess
import sys
import time

from .share import Share

PYTEST = "-m pytest --numprocesses auto --quiet --exhaustive"
STEPS = {
    "screens, each combination loaded anew; many random games": PYTEST + " {share}",
    "kills, power cuts, conflicts, leaks, hostile messages, full disks, flipped bits": (
        "-m tests.faults --share {share}"
    ),
    "mutants": "-m tests.mutants --share {share}",
}
WHOLE_RUNS = {"memory of a server under load": "-m benchmarks.load --soak"}
"""Measurements over time cannot be split into shares."""


def main() -> int:
    """Run all steps of a share; return 1 if any failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.exhaustive", description=__doc__)
    parser.add_argument("--share", default="1/1", help="such as 3/5: the third of five shares")
    try:
        share = Share.parse(parser.parse_args().share)
    except ValueError as error:
        parser.error(str(error))
    print(f"Share {share} of the exhaustive tests. Repeat it with: make exhaustive SHARE={share}", flush=True)
    failed = []
    for name, words in (STEPS | (WHOLE_RUNS if share.is_whole else {})).items():
        command = [sys.executable, *words.format(share=share).split()]
        shown = shlex.join([".venv/bin/python", *command[1:]])
        print(f"\n== {name}\n   {shown}", flush=True)
        started = time.monotonic()
        status = subprocess.run(command, check=False).returncode
        print(f"== {'ok' if status == 0 else 'FAILED'} after {time.monotonic() - started:.0f} s", flush=True)
        if status:
            failed.append(shown)
    for shown in failed:
        print(f"failed; repeat with: {shown}")
    return int(bool(failed))


if __name__ == "__main__":
    sys.exit(main())
