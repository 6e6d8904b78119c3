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

describe("the result of a daily game", () => {
  it("has both scores, the parts of the user's score, and the garden", () => {
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

  it("is null while the game goes on, or if it was abandoned", () => {
    expect(dailyEnd({ ...over(), ending: null })).toBeNull();
    const view = over();
    expect(dailyEnd({ ...view, ending: { ...view.ending!, manner: "abandoned" } })).toBeNull();
  });

  it("is drawn as six lines of nine characters", () => {
    const lines = gardenLines(`${"b".repeat(9)}ng${".".repeat(43)}`);
    expect(lines).toHaveLength(6);
    expect(lines[0]).toBe("■".repeat(9));
    expect(lines[1]).toBe(`▣▦${"□".repeat(7)}`);
  });

  it("is stored and read again, without invalid values", () => {
    const stored = { ...game("2026-11-16"), end: dailyEnd(over()) };
    expect(readGames(JSON.parse(JSON.stringify([stored])))).toEqual([stored]);
    expect(readGames([{ ...stored, end: { ...stored.end, plan: "?" } }])[0]!.end).toBeNull();
    expect(readGames([{ ...stored, day: "today" }, { ...stored, table: "<b>" }, 7])).toEqual([]);
    expect(readGames("nothing")).toEqual([]);
  });
});

describe("the history", () => {
  it("has one game per day, the newest first", () => {
    const begun = withGame([game("2026-11-14"), game("2026-11-15")], game("2026-11-16"));
    expect(begun.map(({ day }) => day)).toEqual(["2026-11-16", "2026-11-15", "2026-11-14"]);
    expect(withGame(begun, game("2026-11-15", 7))[1]!.table).toBe(table(7));
    expect(withoutTable(begun, begun[0]!.table)).toEqual(begun.slice(1));
    const many = Array.from({ length: MOST_DAYS + 5 }, (_, number) =>
      game(new Date(86_400_000 * number).toISOString().slice(0, 10)),
    );
    expect(many.reduce<readonly DailyGame[]>(withGame, [])).toHaveLength(MOST_DAYS);
  });

  it("counts the streak of finished days up to today or yesterday", () => {
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
