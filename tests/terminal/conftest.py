"""Robots that are switched off after the test, however it ends."""

from collections.abc import Iterator

import pytest

from .robot import Robot, Start


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a robot at a new terminal."""
    running: list[Robot] = []

    def begin(*arguments: str, **options: object) -> Robot:
        running.append(Robot(*arguments, **options))  # type: ignore[arg-type]
        return running[-1]

    yield begin
    for robot in running:
        robot.child.close()
