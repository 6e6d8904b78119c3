"""The game in JAX, for thousands or millions of games at once on a GPU or a CPU (docs/jax.md).

Needs the extra ``jax``: ``pip install 'sanssouci-game[jax]'``.
"""

try:
    import jax as _jax  # noqa: F401
except ImportError as error:
    raise ImportError("sanssouci.jax needs JAX: pip install 'sanssouci-game[jax]'") from error

from .game import Sanssouci, State
from .playout import RandomGames, play_games

__all__ = ["RandomGames", "Sanssouci", "State", "play_games"]
