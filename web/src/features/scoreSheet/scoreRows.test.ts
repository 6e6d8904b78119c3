import { describe, expect, it } from "vitest";

import type { Scores } from "../../net/types";
import { scoreRows, tieBreakOf } from "./scoreRows";

function scores(totals: number[], tied: number[], winners: number[]): Scores {
  const seat = (total: number) => ({
    total,
    track: total - 5,
    track_nobles: null,
    track_rewards: 2,
    track_boar: null,
    rows: 0,
    columns: 5,
    missions: 0,
    boar: 0,
    gardeners: 1,
    built: 33,
    refusals: [],
  });
  return { seats: totals.map(seat), tied, winners, finished: true, built_least: 33, built_most: 33 };
}

describe("score rows", () => {
  it("are those of the played expansions", () => {
    const parts = (...played: ("rewards" | "wild_boar")[]) =>
      scoreRows(scores([20, 10], [0], [0]), played).map(({ part }) => part);
    expect(parts()).toEqual(["track", "rows", "columns", "missions", "total", "gardeners"]);
    expect(parts("rewards").slice(0, 3)).toEqual(["track", "track_nobles", "track_rewards"]);
    expect(parts("wild_boar")).toContain("boar");
  });

  it("have the points of every seat; null if they are not known separately", () => {
    const [track, nobles, rewards] = scoreRows(scores([20, 10], [0], [0]), ["rewards"]);
    expect(track).toEqual({ part: "track", rule: "", points: [15, 5], within: false });
    expect(nobles).toEqual({ part: "track_nobles", rule: "R21", points: [null, null], within: true });
    expect(rewards!.points).toEqual([2, 2]);
  });
});

describe("a tie", () => {
  it("is null if one seat has the most points, or an entry was refused", () => {
    expect(tieBreakOf(scores([20, 10], [0], [0]))).toBeNull();
    expect(tieBreakOf(scores([20, 20], [0, 1], []))).toBeNull();
  });

  it("is broken by gardeners, or shared", () => {
    expect(tieBreakOf(scores([20, 20], [0, 1], [1]))).toEqual({
      kind: "gardeners",
      tied: [0, 1],
      points: 20,
    });
    expect(tieBreakOf(scores([20, 20, 20], [0, 1, 2], [0, 2]))).toEqual({
      kind: "shared",
      tied: [0, 2],
      points: 20,
    });
  });
});
