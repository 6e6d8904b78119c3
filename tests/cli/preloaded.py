"""What forked commands have loaded: the modules that most of them import when they need them."""

import sanssouci.arena
import sanssouci.kernel
import sanssouci.review
import sanssouci.server
import sanssouci.terminal  # noqa: F401
