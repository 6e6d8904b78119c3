"""Security headers of every response: Content-Security-Policy, Referrer-Policy, HSTS and others.

Links may contain a secret in path or fragment, so no ``Referer`` is ever sent. ``'self'`` in ``connect-src``
also allows the WebSocket of the page's own origin.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "font-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
    )
)
_UNUSED = (
    "accelerometer camera display-capture geolocation gyroscope magnetometer microphone midi payment serial"
    " usb"
)
_ALWAYS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": ", ".join(f"{name}=()" for name in _UNUSED.split()),
}
_HSTS = {"strict-transport-security": "max-age=31536000"}
_NO_STORE = {"cache-control": "no-store"}
_STARTS = ("http.response.start", "websocket.http.response.start")

Lines = tuple[tuple[bytes, bytes], ...]


class SecurityHeaders:
    """ASGI middleware that sets these headers, replacing those of the app."""

    def __init__(self, app: ASGIApp, https: bool = False, private: str = "/api") -> None:
        """With ``https``, send HSTS; responses below ``private`` must not be cached."""
        self._app = app
        self._private = private
        self._lines = _lines(_ALWAYS | (_HSTS if https else {}))
        self._private_lines = self._lines + _lines(_NO_STORE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        lines = self._private_lines if self._is_private(scope["path"]) else self._lines

        async def send_with_headers(message: Message) -> None:
            if message["type"] in _STARTS:
                message["headers"] = _replaced(message.get("headers", ()), lines)
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _is_private(self, path: str) -> bool:
        return path == self._private or path.startswith(f"{self._private}/")


def _lines(headers: dict[str, str]) -> Lines:
    return tuple((name.encode("ascii"), value.encode("ascii")) for name, value in headers.items())


def _replaced(headers: Lines, lines: Lines) -> list[tuple[bytes, bytes]]:
    ours = {name for name, _ in lines}
    return [*((name, value) for name, value in headers if name.lower() not in ours), *lines]
