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
"""Edition and expansions of each day, from Monday on."""


def daily_settings(day: date, stand_in: str = STAND_IN) -> TableSettings:
    """What is played on a day: no clock, and no hints, so that results can be compared."""
    edition, expansions = WEEK[day.weekday()]
    return make_settings(2, edition, list(expansions), hints=False, stand_in=stand_in, daily=day.isoformat())


def daily_commitment(day: str) -> str:
    """The commitment to the seed of a day: anyone can compute it, so it says only which deal is played."""
    return commitment(daily_seed(day), daily_game(day))
