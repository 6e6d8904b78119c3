"""Mutants: small faults, kept as patches, that the tests must catch.

``<area>/<name>.patch`` is a unified diff with a header: what is wrong, and which tests catch it.
``make mutants`` applies one patch at a time to a copy of the working tree and expects its tests to fail.
"""
