"""What a server's command tells its host: lines for people, or events of its log where that is JSON."""

from typing import TYPE_CHECKING

from .language import sentence
from .output import remark

if TYPE_CHECKING:
    from sanssouci.server import Settings

_WARNINGS = ("serve.not_encrypted", "serve.unknown_variable")


def announce(settings: "Settings", key: str, **values: object) -> None:
    """Say a sentence; in a log of JSON it is an event of that name, at a level like any other."""
    said = sentence(key, **values)
    if settings.log_format != "json":
        remark(said)
        return
    import structlog

    logger = structlog.stdlib.get_logger("sanssouci.cli")
    (logger.warning if key in _WARNINGS else logger.info)(key, sentence=said)
