"""The game for many: HTTP, WebSocket, and what stands at their edge."""

__all__: list[str] = []
