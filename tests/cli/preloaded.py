"""Loads the modules and the compiled code that forked commands need."""

import gc

import typer.rich_utils  # noqa: F401

import sanssouci.arena
import sanssouci.review
import sanssouci.server
import sanssouci.terminal  # noqa: F401
from sanssouci.kernel import COMPILE_UNITS, COMPILES

if COMPILES:
    for job in ("greedy", "static_eval", "series", "rollouts", "search"):
        COMPILE_UNITS[job]()

gc.freeze()  # keeps garbage collection in forked processes from copying these pages
