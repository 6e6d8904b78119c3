"""The turn of a seat whose player has failed: greedy's, or one by the rules alone if the kernel fails."""

from sanssouci.rules import Turn, View, turn_score


def fallback_turn(view: View) -> Turn:
    """Greedy's turn, or ``greedy_points_turn`` if the kernel is not compiled yet or does not work."""
    try:
        from sanssouci.kernel import best_turn, is_compiled  # noqa: PLC0415 - heavy, and needed only after a fault

        turn = best_turn(view) if is_compiled("greedy") else None
    except Exception:
        turn = None
    return greedy_points_turn(view) if turn is None or turn not in view.options() else turn


def greedy_points_turn(view: View) -> Turn:
    """The turn that scores most at once, the first of several; it needs nothing but the rules."""
    garden, score = view.gardens[view.to_move], view.scores[view.to_move]
    return max(view.options(), key=lambda turn: turn_score(garden, score, turn).total)
