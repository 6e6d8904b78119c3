"""Live tables: registry, command execution, membership, scheduler, lists, statistics."""
