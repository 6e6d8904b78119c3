"""Tests of the benchmarks: that what they measure is what they say."""
