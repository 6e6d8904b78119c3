"""Immediate points: of a turn, and the most that a tile can bring."""

from sanssouci.rules import FREE, Options, Score, Space, Square, Turn, members, row_of, turn_score


def gain(options: Options, score: Score, turn: Turn) -> int:
    """What a legal turn scores at once."""
    return turn_score(options.garden, score, turn).total - score.total


def laying_points(options: Options, space: Space, square: Square, score: Score) -> int:
    """What a tile itself brings: reward and boar; where the boar then goes makes no difference."""
    return gain(options, score, Turn(FREE, space, square, options.gardener(space), options.boar(square)[0]))


def best_stop(options: Options, square: Square, gardener: bool) -> int:
    """The highest row a noble could end in once a tile lies on a square; 0 if none can move."""
    return max((row_of(stop) for stop in members(options.stops(square, gardener))), default=0)


def best_of_space(options: Options, space: Space, score: Score) -> int:
    """The most that a turn with the tile of a space can score at once."""
    gardener = options.gardener(space)
    return max(
        laying_points(options, space, square, score) + best_stop(options, square, gardener)
        for square in members(options.squares(space))
    )
