"""What hints and reviews share: the default seed, and the compiled parts that they need."""

from sanssouci.dealer import Seed

SEED: Seed = bytes(32)
"""The default seed: fixed, so that a position always gets the same answer."""


def _compile_units() -> tuple[str, ...]:
    """The compiled parts that hints and reviews need."""
    from sanssouci.network import COMPILE_UNIT

    return ("search", "greedy", COMPILE_UNIT)


def prepared() -> bool:
    """Whether these parts are in the cache."""
    from sanssouci.kernel import is_compiled

    return all(map(is_compiled, _compile_units()))


def prepare() -> None:
    """Compile these parts."""
    from sanssouci.kernel import precompile

    for unit in _compile_units():
        precompile(unit)
