"""The ASGI middleware stack, from the outside in.

::

    ClientInfoMiddleware  client address and request id
    SecurityHeaders       on every response from further in
    AccessLog             one log line per request; handles uncaught exceptions
    RateLimitMiddleware   every request, by address
    OriginCheck           rejects cross-site requests and foreign host names
    RateLimitMiddleware   uploads; after OriginCheck, so other sites cannot use up a visitor's limit
    BodyLimit             reads the whole body, or rejects it

The stack wraps the app instead of being added to it, because FastAPI answers crashes outside its own
middleware.
"""

import time

from starlette.types import ASGIApp

from ..limits.moving_windows import Clock
from ..limits.rate_limits import Limit
from ..ops.metrics import Metrics
from ..settings import Settings
from .access_log import AccessLog
from .allowed_origins import AllowedOrigins
from .body_limit import BodyLimit
from .client_info import ClientInfoMiddleware
from .origin_check import OriginCheck
from .rate_limit import RateCheck, RateLimitMiddleware
from .security_headers import SecurityHeaders


def with_middleware(
    app: ASGIApp,
    settings: Settings,
    origins: AllowedOrigins,
    metrics: Metrics,
    imports: tuple[str, ...] = (),
    check_rate: RateCheck = lambda limit, address: None,
    clock: Clock = time.monotonic,
) -> ASGIApp:
    """Wrap an app; uploads to ``imports`` may be larger and have a rate limit of their own."""
    app = BodyLimit(app, settings.max_message, dict.fromkeys(imports, settings.max_import))
    app = RateLimitMiddleware(app, check_rate, Limit.IMPORT, imports)
    app = OriginCheck(app, origins)
    app = RateLimitMiddleware(app, check_rate, Limit.REQUEST)
    app = AccessLog(app, metrics.request, clock)
    app = SecurityHeaders(app, https=(settings.public_url or "").startswith("https://"))
    return ClientInfoMiddleware(app, settings.trusted_proxies)
