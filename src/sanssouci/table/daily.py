"""The daily garden: one deal a day, the same for everyone, for one person against one opponent."""

from datetime import date

from sanssouci.dealer import commitment, daily_game, daily_seed
from sanssouci.rules import REWARDS, WILD_BOAR

from .settings import STAND_IN, TableSettings, make_settings

OPPONENT = "level:4"
WEEK: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("ravensburger", ()),
    ("imperial", ()),
    ("ravensburger", (REWARDS,)),
    ("imperial", (WILD_BOAR,)),
    ("ravensburger", ()),
    ("imperial", (REWARDS,)),
    ("imperial", (REWARDS, WILD_BOAR)),
)
"""Edition and expansions for each weekday, from Monday."""


def daily_settings(day: date, stand_in: str = STAND_IN) -> TableSettings:
    """The settings of a day, without clock and hints, so that results can be compared."""
    edition, expansions = WEEK[day.weekday()]
    return make_settings(2, edition, list(expansions), hints=False, stand_in=stand_in, daily=day.isoformat())


def daily_commitment(day: str) -> str:
    """The commitment to a day's seed. It hides nothing, since anyone can compute the seed of a day."""
    return commitment(daily_seed(day), daily_game(day))
