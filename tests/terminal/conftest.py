"""Fixtures: terminals that are closed after each test."""

from collections.abc import Iterator

import pytest

from .robot import Robot, Start


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a robot in a new terminal."""
    running: list[Robot] = []

    def start_robot(*arguments: str, **options: object) -> Robot:
        running.append(Robot(*arguments, **options))  # type: ignore[arg-type]
        return running[-1]

    yield start_robot
    for robot in running:
        robot.child.close()
