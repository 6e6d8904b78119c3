"""Live tables: the registry, command execution, membership, scheduling and persistence."""
