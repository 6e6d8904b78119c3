"""Operations: logs, metrics, garbage collection, static files, network addresses, corrupt data."""
