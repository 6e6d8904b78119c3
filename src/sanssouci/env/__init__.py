"""Environments for reinforcement learning: PettingZoo, Gymnasium and OpenSpiel (docs/environments.md).

Importing this package registers ``Sanssouci-v1`` with Gymnasium, if Gymnasium is installed. The modules that
work without the extra ``env`` are ``spec``, ``stages``, ``observation``, ``game`` and ``vector_games``.
"""

import contextlib

__all__: list[str] = []

with contextlib.suppress(ImportError):
    import gymnasium

    gymnasium.register(
        "Sanssouci-v1",
        entry_point="sanssouci.env.single_env:SanssouciEnv",
        vector_entry_point="sanssouci.env.vector_env:SanssouciVectorEnv",
        disable_env_checker=True,  # it steps at random, and most actions are illegal
    )
