import { describe, expect, it } from "vitest";

import { RAVENSBURGER } from "../../../tests/fixtures";
import type { TableView } from "../../net/types";
import {
  dailyEnd,
  gardenLines,
  MOST_DAYS,
  readGames,
  streakOf,
  withGame,
  withoutTable,
  type DailyGame,
} from "./dailyGames";

const table = (number: number) => number.toString(16).padStart(16, "0");
const game = (day: string, number = Number(day.replaceAll("-", ""))): DailyGame => ({
  day,
  table: table(number),
  end: null,
});

function over(): TableView {
  const view = RAVENSBURGER.over.view;
  const chairs = view.chairs.map((chair, place) =>
    place === 1 ? { ...chair, sitter: "computer" as const, player: "level:4" } : chair,
  );
  return { ...view, chairs };
}

describe("the end of a daily garden", () => {
  it("has the points of both, the parts of the own ones, and the garden", () => {
    const view = over();
    const seat = view.chairs[0]!.seat!;
    const end = dailyEnd(view)!;
    expect(end.total).toBe(view.game!.scores[seat]!.total);
    expect(end.other).toBe(view.game!.scores[1 - seat]!.total);
    expect(end.won).toBe(view.ending!.winners.includes(seat));
    expect(Object.values(end.parts).reduce((sum, points) => sum + points)).toBe(end.total);
    const garden = view.game!.gardens[seat]!;
    expect([...end.plan].filter((sign) => sign !== ".")).toHaveLength(garden.built.length);
    expect([...end.plan].filter((sign) => sign === "n")).toHaveLength(garden.nobles.length);
    expect([...end.plan].filter((sign) => sign === "g")).toHaveLength(garden.gardeners.length);
  });

  it("is none where the game goes on, or was abandoned", () => {
    expect(dailyEnd({ ...over(), ending: null })).toBeNull();
    const view = over();
    expect(dailyEnd({ ...view, ending: { ...view.ending!, manner: "abandoned" } })).toBeNull();
  });

  it("is drawn in six lines of nine signs", () => {
    const lines = gardenLines(`${"b".repeat(9)}ng${".".repeat(43)}`);
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe("■".repeat(9));
    expect(lines[1]).toBe(`▣▦${"□".repeat(7)}`);
  });

  it("is kept and read again; what is not right is left out", () => {
    const kept = { ...game("2026-11-16"), end: dailyEnd(over()) };
    expect(readGames(JSON.parse(JSON.stringify([kept])))).toEqual([kept]);
    expect(readGames([{ ...kept, end: { ...kept.end, plan: "?" } }])[0]!.end).toBeNull();
    expect(readGames([{ ...kept, day: "today" }, { ...kept, table: "<b>" }, 7])).toEqual([]);
    expect(readGames("nothing")).toEqual([]);
  });
});

describe("the history", () => {
  it("has one game for each day, the last day first", () => {
    const begun = withGame([game("2026-11-14"), game("2026-11-15")], game("2026-11-16"));
    expect(begun.map(({ day }) => day)).toEqual(["2026-11-16", "2026-11-15", "2026-11-14"]);
    expect(withGame(begun, game("2026-11-15", 7))[1]!.table).toBe(table(7));
    expect(withoutTable(begun, begun[0]!.table)).toEqual(begun.slice(1));
    const many = Array.from({ length: MOST_DAYS + 5 }, (_, number) =>
      game(new Date(86_400_000 * number).toISOString().slice(0, 10)),
    );
    expect(many.reduce<readonly DailyGame[]>(withGame, [])).toHaveLength(MOST_DAYS);
  });

  it("counts the days without a gap that have an end, today or not", () => {
    const end = dailyEnd(over());
    const days = ["2026-11-01", "2026-10-31", "2026-10-30", "2026-10-28"].map((day) => ({
      ...game(day),
      end,
    }));
    expect(streakOf(days, "2026-11-01")).toBe(3);
    expect(streakOf(days, "2026-11-02")).toBe(3);
    expect(streakOf(days, "2026-11-03")).toBe(0);
    expect(streakOf([game("2026-11-02"), ...days], "2026-11-02")).toBe(3);
  });
});
