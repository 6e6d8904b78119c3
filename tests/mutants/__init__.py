"""Mutants: small faults, stored as patches, that the tests must catch.

``<area>/<name>.patch`` is a unified diff with a header that describes the fault and names the tests. ``make
mutants`` applies one patch at a time to a copy of the working tree and expects its tests to fail.
"""
