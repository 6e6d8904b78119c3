"""Statistics and daily gardens of a guest with many games."""

from datetime import date, timedelta

from .recorded_tables import Json, game_at

TODAY: Json = {
    "day": "2026-11-18",
    "edition": "ravensburger",
    "expansions": ["rewards"],
    "opponent": "level:4",
    "until": 1_795_132_800.0,
}


def many_games() -> Json:
    """Games of several months, against computers and people, with every expansion."""
    games = [_game(number) for number in range(26)]
    best = max(games, key=lambda game: game["score"]["total"])
    view, _ = game_at("imperial-rewards-boar-4", -1)
    return {"games": games, "best": {"table": best["table"], "garden": view["game"]["gardens"][0]}}


def _game(number: int) -> Json:
    seats = 2 + number % 5 % 3
    parts = {"nobles": 24 + number * 7 % 19, "rows": 4 + number * 5 % 12, "columns": 5 * (number % 3)}
    parts |= {"missions": number * 3 % 11, "rewards": number * 5 % 9 - 3, "boar": -(number * 7 % 13)}
    total = sum(parts.values())
    others = [f"level:{1 + (number + seat) % 4}" if number % 7 else None for seat in range(1, seats)]
    totals = [total, *(total + 5 - (number * 11 + 4 * seat) % 14 for seat in range(1, seats))]
    return {
        "table": f"{number:016x}",
        "ended_at": 1_790_000_000 - 300_000 * number,
        "edition": "imperial",
        "expansions": ["rewards", "wild_boar"],
        "manner": "played",
        "seat": 0,
        "winners": [seat for seat, points in enumerate(totals) if points == max(totals)],
        "conceded": False,
        "taken_back": 0,
        "seats": [
            {"player": player, "total": points}
            for player, points in zip([None, *others], totals, strict=True)
        ],
        "score": {"total": total, **parts},
    }


def many_days(today: str) -> list[Json]:
    """Stored daily gardens of twelve consecutive days."""
    return [_day(date.fromisoformat(today) - timedelta(days=number), number) for number in range(12)]


def _day(day: date, number: int) -> Json:
    parts = {"nobles": 31, "rewards": 4, "boar": 0, "rows": 7 - number % 3, "columns": 5, "missions": 3}
    total = sum(parts.values())
    end = {
        "edition": "ravensburger",
        "expansions": ["rewards"],
        "total": total,
        "other": 44 + number * 7 % 9,
        "won": total > 44 + number * 7 % 9,
        "shared": False,
        "gaveUp": number == 7,
        "takenBack": 0 if number else 2,
        "parts": parts,
        "plan": "nnbbbbbbb.bnng.b..b.bg.bbn..bb.gn.b.gbb..bnbg.b.bbbb.g",
    }
    return {"day": day.isoformat(), "table": f"{number:016x}", "end": end}
