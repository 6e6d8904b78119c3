"""What a position teaches: told by the facts that set its best turn apart from the tempting one."""

from sanssouci.review import Reason, reasons
from sanssouci.rules import ROUNDS, Turn, View

THEMES = (
    "ways",
    "nobles",
    "lines",
    "missions",
    "gardeners",
    "cards",
    "rivals",
    "rewards",
    "boar",
    "end",
)
"""In the order they are learnt in; ``lesson.ways`` is the title of one, ``lesson.ways_look`` its hint."""
_LAST_ROUNDS = ROUNDS - 2
"""From this round on a lesson is about the end."""
_LEAST, _BESIDE = 0.5, 0.6
"""What a reason weighs at least that tells something, and beside the most telling one as a part of that."""
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
"""The reasons that are about a theme; where several tell about as much, the first of these is taken."""


def theme_of(view: View, best: Turn, tempting: Turn) -> str | None:
    """What can be learnt where one turn is best and another tempting; None if nothing on the board tells."""
    telling = _telling(view, best, tempting)
    theme = next((theme for theme, keys in _KEYS.items() if telling & set(keys.split())), None)
    if theme is None or theme in ("boar", "rewards"):
        return theme
    if view.round >= _LAST_ROUNDS:
        return "end"
    if best.gardener and not tempting.gardener:
        return "gardeners"
    return "nobles" if _laid(best) == _laid(tempting) and theme != "missions" else theme


def is_about(reason: Reason, theme: str) -> bool:
    """Whether a reason tells of a theme."""
    return reason.key in _KEYS.get(theme, "").split()


def _telling(view: View, best: Turn, tempting: Turn) -> set[str]:
    """The reasons that tell most."""
    found = reasons(view, best, instead_of=tempting)
    least = max(_LEAST, _BESIDE * found[0].weight) if found else _LEAST
    return {reason.key for reason in found if reason.weight >= least}


def _laid(turn: Turn) -> tuple[int, int, int]:
    """What happens before a noble moves."""
    return turn.card, turn.space, turn.square
