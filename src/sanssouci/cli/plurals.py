"""Numbers with their nouns, in the language of the call."""

from .language import current_language, sentence


def guests(number: int) -> str:
    """Like “1 guest”."""
    return _counted(number, "count.guest", "count.guests")


def games(number: int) -> str:
    """Like “2 games”."""
    return _counted(number, "count.game", "count.games")


def events(number: int) -> str:
    """Like “3 events”."""
    return _counted(number, "count.event", "count.events")


def faults(number: int) -> str:
    """Like “4 faults”."""
    return _counted(number, "count.fault", "count.faults")


def tables(number: int) -> str:
    """Like “5 tables”."""
    return _counted(number, "count.table", "count.tables")


def records(number: int) -> str:
    """Like “6 records”."""
    return _counted(number, "count.record", "count.records")


def reviews(number: int) -> str:
    """Like “7 reviews”."""
    return _counted(number, "count.review", "count.reviews")


def processes(number: int) -> str:
    """Like “8 processes”."""
    return _counted(number, "count.process", "count.processes")


def _counted(number: int, one: str, many: str) -> str:
    """French uses the singular for 0."""
    single = number == 1 or (number == 0 and current_language() == "fr")
    return sentence(one if single else many, number=number)
