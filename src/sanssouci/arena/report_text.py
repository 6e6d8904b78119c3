"""The standings of an arena as sentences, for the terminal and the HTML page."""

from sanssouci.locale import translate

from .sprt import Decision
from .tournament import Tournament


def match_title(tournament: Tournament, language: str) -> str:
    """The number and kind of games."""
    variant = tournament.match.variant
    return translate(
        "arena.title",
        language,
        games=tournament.standings.games,
        deals=tournament.standings.deals,
        seats=variant.seats,
        edition=variant.edition,
        expansions=", ".join(variant.expansions) or translate("simulate.base", language),
        boards=tournament.match.boards.name,
    )


def sprt_verdict(tournament: Tournament, language: str) -> str:
    """The verdict of the sequential test; empty without a test."""
    sprt = tournament.sprt
    if sprt is None:
        return ""
    first, second = tournament.match.players
    args = {"first": first, "second": second, "deals": sprt.deals}
    if sprt.decision is Decision.UNDECIDED:
        return translate("arena.sprt_open", language, elo0=f"{sprt.elo0:+g}", elo1=f"{sprt.elo1:+g}", **args)
    accepted = sprt.elo1 if sprt.decision is Decision.H1 else sprt.elo0
    return translate(
        "arena.sprt_decided", language, hypothesis=sprt.decision.value, elo=f"{accepted:+g}", **args
    )


def budget_text(tournament: Tournament, language: str) -> str:
    """The budget of a turn."""
    budget = tournament.match.budget
    if budget.seconds is not None:
        return translate("arena.budget_seconds", language, seconds=f"{budget.seconds:g}")
    if budget.rollouts is not None:
        return translate("arena.budget_rollouts", language, rollouts=budget.rollouts)
    return translate("arena.budget_none", language)


def lost_lines(tournament: Tournament, language: str) -> list[str]:
    """Per player at fault, the number of games lost that way."""
    return [
        translate("arena.lost", language, player=standing.player, faults=standing.faults)
        for standing in tournament.standings.figures()
        if standing.faults
    ]


def reason_lines(tournament: Tournament, language: str) -> list[str]:
    """Per player at fault, the first reasons."""
    standings = tournament.standings.figures()
    return [reason.translate(language) for standing in standings for reason in standing.reasons]


def seconds_text(seconds: float) -> str:
    """Seconds, rounded to a readable number of digits."""
    return f"{seconds:.5f}" if seconds < 1 else f"{seconds:.2f}"
