"""Points: what a turn earns and what the end adds, by part.

The functions are pure functions of integers (see ``walk``); ``Score`` keeps their sums by part.
"""

from dataclasses import dataclass

from .rewards import Marks, reward_points
from .squares import ALL, COLUMN, ROW, Column, Row, Square, Squares
from .walk import noble_row, stroll


@dataclass(frozen=True, slots=True)
class Score:
    """The points of one seat, by the part of the game they came from."""

    nobles: int = 0
    rewards: int = 0
    boar: int = 0
    rows: int = 0
    columns: int = 0
    missions: int = 0

    @property
    def total(self) -> int:
        """All points together."""
        return self.nobles + self.rewards + self.boar + self.rows + self.columns + self.missions

    def parts(self) -> dict[str, int]:
        """The six parts by name, in their fixed order."""
        return {name: getattr(self, name) for name in PARTS}


PARTS: tuple[str, ...] = ("nobles", "rewards", "boar", "rows", "columns", "missions")


def rank(total: int, gardeners: int) -> int:
    """R28: a number that orders seats by points, then by gardeners."""
    return total << 6 | gardeners


def never_below_zero(points: int, total: int) -> int:
    """R32, R37: a gain, or what a loss really takes from a total."""
    return points if points > -total else -total


def boar_points(disturbed: bool, leaves: bool) -> int:
    """R35, R36: 1 for laying a tile on the boar, 3 more if it leaves."""
    if not disturbed:
        return 0
    return 4 if leaves else 1


def row_points(built: Squares) -> int:
    """R25: 10 minus its value for each complete row 2-6."""
    points = 0
    for row in range(2, 7):
        if built & ROW[row] == ROW[row]:
            points += 10 - row
    return points


def column_points(built: Squares) -> int:
    """R26: 5 for each complete column."""
    points = 0
    for column in range(9):
        if built & COLUMN[column] == COLUMN[column]:
            points += 5
    return points


def mission_points(nobles: Squares, mission: Column) -> int:
    """R27: the value of the row in which the mission's noble stands."""
    return noble_row(nobles, mission)


def boar_loss(boar: Squares, built: Squares) -> int:
    """R37: the number of free squares in the area where the boar stands."""
    return stroll(boar, ALL & ~built).bit_count()


def turn_points(
    marks: Marks, square: Square, gardener: bool, boar: int, row: Row, total: int
) -> tuple[int, int, int]:
    """R38: what a turn brings to nobles, rewards and boar: first the reward, then the boar, then the noble.

    ``boar`` is what ``boar_points`` gives, ``row`` where the noble ended (0 if none moved), ``total`` the
    score before.
    """
    return row, never_below_zero(reward_points(marks, square, gardener), total), boar


def end_points(
    built: Squares, nobles: Squares, boar: Squares, first: Column, second: Column, total: int
) -> tuple[int, int, int, int]:
    """R25-R27, then R37: what the end brings to rows, columns, missions and boar."""
    rows = row_points(built)
    columns = column_points(built)
    missions = mission_points(nobles, first) + mission_points(nobles, second)
    lost = never_below_zero(-boar_loss(boar, built), total + rows + columns + missions)
    return rows, columns, missions, lost
