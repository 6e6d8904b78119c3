"""``python -m benchmarks.load``: the rows of load and soak, with n, what was measured, and the goals."""


def main() -> None:
    """Run what was asked for, and print a table, or a document with ``--json``."""
    options = _options()
    ...


if __name__ == "__main__":
    main()
