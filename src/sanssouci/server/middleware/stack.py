"""The edge: everything that a request passes before the app, in its order.

::

    Callers          who asks, and the request's id
    SecurityHeaders  on whatever is answered further in
    AccessLog        a line for each request; what is raised further in ends here
    Toll             the address pays for the request, whoever is named in it
    Gate             strangers' pages and wrong names are turned away
    Toll             once more before a large body: a stranger's page cannot use that up for its visitor
    BodyLimit        a body is read whole, or refused

They stand around the app, not among its own middleware: an app that fails is answered outside of those.
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
from .rate_limit import Pay, RateLimitMiddleware
from .security_headers import SecurityHeaders


def with_middleware(
    app: ASGIApp,
    settings: Settings,
    origins: AllowedOrigins,
    metrics: Metrics,
    imports: tuple[str, ...] = (),
    pay: Pay = lambda bucket, address: None,
    clock: Clock = time.monotonic,
) -> ASGIApp:
    """An app with its edge; to the paths of ``imports`` larger bodies may be sent, if one can ``pay``."""
    app = BodyLimit(app, settings.max_message, dict.fromkeys(imports, settings.max_import))
    app = RateLimitMiddleware(app, pay, Limit.IMPORT, imports)
    app = OriginCheck(app, origins)
    app = RateLimitMiddleware(app, pay, Limit.REQUEST)
    app = AccessLog(app, metrics.request, clock)
    app = SecurityHeaders(app, https=(settings.public_url or "").startswith("https://"))
    return ClientInfoMiddleware(app, settings.trusted_proxies)
