"""Authentication: guests, tokens, socket tickets, and access to one table."""
