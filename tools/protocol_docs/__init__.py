"""Generates docs/protocol.md from the server's OpenAPI description and a hand-written template."""
