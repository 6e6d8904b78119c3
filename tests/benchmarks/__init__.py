"""Tests of the benchmarks: their figures are correct."""
