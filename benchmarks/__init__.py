"""Benchmarks: programs to compare with, the store's writes, the server under load, the browser game."""
