"""``python -m sanssouci`` is the ``sanssouci`` command."""

from .cli import main

main()
