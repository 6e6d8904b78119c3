"""The theme of a lesson, derived from the facts that distinguish the best turn from the tempting one."""

from sanssouci.review import Reason, reasons
from sanssouci.rules import ROUNDS, Turn, View

THEMES = (
    "rewards",
    "boar",
    "ways",
    "nobles",
    "lines",
    "missions",
    "gardeners",
    "cards",
    "rivals",
    "end",
)
"""In learning order; an expansion begins with its own theme.

A theme has its title at a locale key like ``lesson.ways``, its hint at ``…_look``."""
_LAST_ROUNDS = ROUNDS - 2
"""From this round on, the theme of a lesson is the end of the game."""
_MIN_WEIGHT, _MIN_FRACTION = 0.5, 0.6
"""Minimum weight of a reason that counts: in points, and as a fraction of the weight of the strongest."""
_KEYS = {
    "boar": "boar_area boar_cornered boar_leaves boar_shut_in",
    "rewards": "reward spares",
    "rivals": "denies denies_column denies_row",
    "cards": "becomes_free keeps_choice kept_next stays_free",
    "missions": "mission mission_way",
    "lines": "row_complete row_grows row_short column_complete column_grows column_short",
    "end": "final_most final_nothing",
    "nobles": "best_walk goes_on only_walk saves_stops",
    "ways": "joins new_stop new_stops one_of_stops one_step opens_walk stop_to_come tile_stop",
}
"""The keys of the reasons for each theme. If several themes apply, the first one is taken."""


def theme_of(view: View, best: Turn, tempting: Turn) -> str | None:
    """The theme of a position with this best and this tempting turn; None if no reason counts."""
    telling = _distinguishing_reasons(view, best, tempting)
    theme = next((theme for theme, keys in _KEYS.items() if telling & set(keys.split())), None)
    if theme is None or theme in ("boar", "rewards"):
        return theme
    if view.round >= _LAST_ROUNDS:
        return "end"
    if best.gardener and not tempting.gardener:
        return "gardeners"
    return "nobles" if _laid(best) == _laid(tempting) and theme != "missions" else theme


def is_about(reason: Reason, theme: str) -> bool:
    """Whether a reason belongs to a theme."""
    return reason.key in _KEYS.get(theme, "").split()


def _distinguishing_reasons(view: View, best: Turn, tempting: Turn) -> set[str]:
    """The keys of the strongest reasons for the best turn instead of the tempting one."""
    found = reasons(view, best, instead_of=tempting)
    least = max(_MIN_WEIGHT, _MIN_FRACTION * found[0].weight) if found else _MIN_WEIGHT
    return {reason.key for reason in found if reason.weight >= least}


def _laid(turn: Turn) -> tuple[int, int, int]:
    """The part of a turn before the boar and the noble move."""
    return turn.card, turn.space, turn.square
