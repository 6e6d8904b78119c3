"""Environments for reinforcement learning: PettingZoo, Gymnasium and OpenSpiel (docs/environments.md)."""
