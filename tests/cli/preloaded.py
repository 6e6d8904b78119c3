"""What forked commands have loaded: the modules and the compiled code that most of them need."""

import sanssouci.arena
import sanssouci.kernel
import sanssouci.review
import sanssouci.server
import sanssouci.terminal  # noqa: F401
from sanssouci.kernel import COMPILES, JOBS

if COMPILES:
    for job in ("greedy", "judgement", "series", "rollouts", "search"):
        JOBS[job]()
