import { describe, expect, it } from "vitest";

import review from "../../../tests/fixtures/review.json";
import steps from "../../../tests/fixtures/steps.json";
import type { ReviewDocument, ReviewTurn, Steps } from "../../net/types";
import { Replay } from "../../game/replay";
import {
  drawTurn,
  figuresOf,
  FRAMES,
  lineOf,
  otherMisses,
  namesOf,
  roundsOf,
  spotOf,
  turnOf,
} from "./review";

const document = review as unknown as ReviewDocument;
const replay = new Replay(steps as unknown as Steps);

describe.each(Object.values(FRAMES))("the graph", (GRAPH) => {
  it("has a point for every position, within its margins", () => {
    const line = lineOf(document, GRAPH, 0);
    expect(line).toHaveLength(document.turns.length + 1);
    expect(line[0]!.x).toBe(GRAPH.left);
    expect(line.at(-1)!.x).toBe(GRAPH.wide - GRAPH.right);
    expect(spotOf(document, GRAPH, 0, 0).y).toBe(GRAPH.high - GRAPH.bottom);
    expect(spotOf(document, GRAPH, 0, 1).y).toBe(GRAPH.top);
  });

  it("labels the first round and every fifth, at its first turn", () => {
    const seats = document.seats.length;
    expect(roundsOf(document)).toEqual(
      [1, 5, 10, 15].map((round) => ({ round, position: (round - 1) * seats })),
    );
  });
});

describe("a seat", () => {
  it("has parts that add up to its result in spite of rounding", () => {
    for (const { win_share } of document.seats) {
      const { start, skill, others, luck, end } = figuresOf(win_share);
      expect(start + skill + others + luck).toBe(end);
    }
  });

  it("has a number after its name only if another seat has the same name", () => {
    const seats = document.seats.map((seat, index) => ({ ...seat, name: index < 2 ? "Ada" : `N${index}` }));
    expect(namesOf({ ...document, seats }).slice(0, 2)).toEqual(["Ada (1)", "Ada (2)"]);
    expect(namesOf({ ...document, seats }).slice(2)).toEqual(seats.slice(2).map(({ name }) => name));
  });
});

describe("a turn", () => {
  it("is listed once: as a turning point or as another miss", () => {
    const skillPoints = document.turning_points.filter(({ cause }) => cause !== "luck");
    const points = skillPoints.map((point) => turnOf(document, point).turn);
    expect(points).toEqual(skillPoints.map(({ turn }) => turn));
    const others = otherMisses(document).map(({ turn }) => turn);
    expect(others.some((turn) => points.includes(turn))).toBe(false);
    expect(others.length).toBeGreaterThan(0);
  });

  it("that was missed is listed by its cost, unless that rounds to zero", () => {
    const [first, second, ...rest] = document.turns;
    const costing = (turn: ReviewTurn, win_share: number) => ({
      ...turn,
      missed: true,
      cost: { ...turn.cost, win_share },
    });
    const free = rest.map((turn) => costing(turn, 0.004));
    const turns = [costing(first!, 0.02), costing(second!, 0.3), ...free];
    const misses = otherMisses({ ...document, turns, turning_points: [] });
    expect(misses.map(({ turn }) => turn)).toEqual([second!.turn, first!.turn]);
  });

  it("before a stroke of luck is still listed as missed", () => {
    const turn = otherMisses(document)[0]!;
    const luck = { ...document.turning_points[0]!, turn: turn.turn, cause: "luck" as const };
    expect(otherMisses({ ...document, turning_points: [luck] })).toContainEqual(turn);
  });

  it("that was played leads to the next position of the game", () => {
    for (const { turn, seat, played } of document.turns) {
      const { garden, motif } = drawTurn(replay, turn, seat, played);
      const next = replay.game(turn).gardens[seat]!;
      expect([...garden.built].sort()).toEqual([...next.built].sort());
      expect([...garden.nobles.values()].sort()).toEqual([...next.nobles].sort());
      expect(motif).toBe(replay.turns[turn - 1]!.motif);
    }
  });
});
