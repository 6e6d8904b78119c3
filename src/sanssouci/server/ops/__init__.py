"""Operations: logs, metrics, garbage collection, static files, network addresses, damaged data, the audit."""
