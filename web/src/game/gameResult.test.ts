import { describe, expect, it } from "vitest";

import { COMPANY, copy, IMPERIAL, RAVENSBURGER, SOLO } from "../../tests/fixtures";
import { consolation, gameResult, noOtherPeople, PARTS, type Part } from "./gameResult";
import type { TableView } from "../net/types";

const PLAYED = [RAVENSBURGER, IMPERIAL].map((game) => game.over.view);

/** A played game in which the totals and gardeners are these. */
function tie(totals: readonly number[], gardeners: readonly number[], winners: number[]): TableView {
  const view = copy(IMPERIAL.over.view);
  totals.forEach((total, seat) => {
    view.game!.scores[seat]!.total = total;
    view.game!.gardens[seat]!.gardeners = ["a2", "a3", "a4", "a5", "a6"].slice(0, gardeners[seat]);
  });
  view.ending!.winners = winners;
  return view;
}

describe("the end of a played game", () => {
  it("ranks the winner first, and its parts add up to the scores", () => {
    for (const view of PLAYED) {
      const end = gameResult(view)!;
      expect(end.places[0]!.seat).toBe(view.ending!.winners[0]);
      expect(end.places.map((place) => place.score.total)).toEqual(
        view.game!.scores.map((score) => score.total).sort((one, other) => other - one),
      );
      const total = end.table.at(-1)!;
      view.game!.scores.forEach((_, seat) => {
        const parts = end.table.slice(0, -1).reduce((sum, row) => sum + row.points[seat]!, 0);
        expect(parts).toBe(total.points[seat]);
      });
    }
  });

  it("has the parts of the played expansions only", () => {
    expect(gameResult(RAVENSBURGER.over.view)!.table.map((row) => row.part)).toEqual([
      "nobles",
      "rows",
      "columns",
      "missions",
      "total",
    ]);
    expect(gameResult(IMPERIAL.over.view)!.table.map((row) => row.part)).toEqual([
      ...Object.keys(PARTS),
      "total",
    ]);
  });

  it("R27: has the points of each mission", () => {
    for (const view of PLAYED) {
      for (const { score, missions } of gameResult(view)!.places) {
        expect(missions!.reduce<number>((sum, mission) => sum + mission.row, 0)).toBe(score.missions);
        expect(missions).toHaveLength(2);
      }
    }
  });

  it("has the best seats of each part, unless all are equal", () => {
    const view = tie([9, 9, 5, 1], [0, 0, 0, 0], [0, 1]);
    view.game!.scores.forEach((score) => (score.columns = 5));
    const row = (part: Part | "total") => gameResult(view)!.table.find((one) => one.part === part)!;
    expect(row("total").best).toEqual([0, 1]);
    expect(row("columns").best).toEqual([]);
  });
});

describe("R28: a tie", () => {
  it("is null if one seat has the most points", () => {
    expect(gameResult(tie([9, 8, 8, 1], [0, 5, 4, 0], [0]))!.tieBreak).toBeNull();
  });

  it("is broken by gardeners", () => {
    const end = gameResult(tie([9, 9, 9, 1], [2, 4, 4 - 1, 5], [1]))!;
    expect(end.tieBreak).toEqual({
      rule: "R28",
      kind: "gardeners",
      tied: [1, 2, 0],
      points: 9,
    });
    expect(end.places.map((place) => [place.seat, place.place])).toEqual([
      [1, 1],
      [2, 2],
      [0, 3],
      [3, 4],
    ]);
  });

  it("on both is shared by the seats with the most gardeners only", () => {
    const end = gameResult(tie([8, 8, 8, 1], [5, 2, 5, 0], [0, 2]))!;
    expect(end.tieBreak).toMatchObject({ kind: "gardeners_shared", tied: [0, 2, 1] });
  });

  it("on both is shared", () => {
    const end = gameResult(tie([9, 9, 3, 1], [2, 2, 5, 5], [0, 1]))!;
    expect(end.tieBreak?.kind).toBe("shared");
    expect(end.places.map((place) => place.place)).toEqual([1, 1, 3, 4]);
    expect(end.places.map((place) => place.winner)).toEqual([true, true, false, false]);
  });

  it("ignores players who conceded, and ranks them last", () => {
    const view = tie([20, 9, 8, 1], [0, 0, 0, 0], [1]);
    view.chairs.find((chair) => chair.seat === 0)!.conceded = true;
    const end = gameResult(view)!;
    expect(end.tieBreak).toBeNull();
    expect(end.places.map((place) => place.seat)).toEqual([1, 2, 3, 0]);
  });
});

describe("an unfinished game", () => {
  it("has a winner if the others conceded, and no missions", () => {
    const end = gameResult(SOLO.at(-1)!.view)!;
    expect(end.manner).toBe("conceded");
    expect(end.winners).toEqual([1]);
    expect(end.places[0]).toMatchObject({ seat: 1, winner: true, missions: null });
    expect(end.places[1]).toMatchObject({ seat: 0, conceded: true });
  });

  it("has no winner if it was abandoned", () => {
    const end = gameResult(COMPANY.view)!;
    expect(end).toMatchObject({ manner: "abandoned", winners: [], tieBreak: null });
  });

  it("has no result while it goes on", () => {
    expect(gameResult(IMPERIAL.views[0]!)).toBeNull();
    expect(gameResult(SOLO[0]!.view)).toBeNull();
  });
});

it("a rematch can start at once if all others are computers or at this screen", () => {
  const view = copy(IMPERIAL.over.view);
  expect(noOtherPeople([0, 1, 2, 3], view)).toBe(true);
  expect(noOtherPeople([0], view)).toBe(false);
  for (const chair of view.chairs.slice(1)) chair.sitter = "computer";
  expect(noOtherPeople([0], view)).toBe(true);
  expect(noOtherPeople([], view)).toBe(false);
  view.chairs[2]!.sitter = "open";
  expect(noOtherPeople([0], view)).toBe(false);
});

describe("a player who did not win", () => {
  it("hears how close it was, and in which part nobody was better", () => {
    const view = tie([49, 46, 30, 20], [0, 0, 0, 0], [0]);
    view.game!.scores.forEach((score, seat) => (score.rows = [7, 15, 0, 0][seat]!));
    view.game!.scores.forEach((score, seat) => (score.nobles = [40, 20, 20, 20][seat]!));
    const close = consolation(gameResult(view)!, 1);
    expect(close).toEqual({ winner: 0, margin: 3, part: "rows", points: 15, best: true });
    expect(consolation(gameResult(view)!, 2)).toMatchObject({ margin: 19, part: "nobles", best: false });
    view.game!.scores.forEach((score, seat) => (score.boar = [-9, -9, -9, -1][seat]!));
    expect(consolation(gameResult(view)!, 3), "a loss is no strength").toMatchObject({ part: "nobles" });
  });

  it("is not consoled after winning, watching, or a game that was given up", () => {
    const view = tie([49, 46, 30, 20], [0, 0, 0, 0], [0]);
    expect(consolation(gameResult(view)!, 0)).toBeNull();
    expect(consolation(gameResult(view)!, null)).toBeNull();
    view.ending!.manner = "conceded";
    expect(consolation(gameResult(view)!, 1)).toBeNull();
  });
});
