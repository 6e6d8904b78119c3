import { describe, expect, it } from "vitest";

import type { Boards } from "../../net/types";
import type { Square } from "../../game/notation";
import {
  toRequest,
  gardenOn,
  isBegun,
  isObjection,
  withTile,
  withBoardSides,
  MARKS,
  newSeat,
  newSheet,
  progressOf,
  readPoints,
  readSheet,
  REWARD_SQUARES,
  sidesOf,
  stepped,
  afterTap,
  toolsOf,
  withEdition,
  withExpansion,
  withRewards,
  withSeat,
  withSeats,
  type SeatSheet,
  type Tool,
} from "./scoreSheet";

const BOARDS: Boards = {
  name: "box",
  sha256: "0".repeat(64),
  boar_can_start: true,
  pairs: [],
  gardens: [[["a2", "e4"], ["b2"]], [["c3"]]],
  rewards: [[{ e3: "+1" }, { e3: "-2" }]],
};

it("a seat is begun by a tile, a noble or a score, but not by a name", () => {
  expect(isBegun(newSeat("Ada"))).toBe(false);
  expect(isBegun(tap(newSeat(), "c3"))).toBe(true);
  expect(isBegun(stepped(newSeat(), "c"))).toBe(true);
  expect(isBegun({ ...newSeat(), track: 0 })).toBe(true);
});

function tap(seat: SeatSheet, square: Square, tool: Tool = "tile"): SeatSheet {
  const found = afterTap(seat, square, tool);
  if (isObjection(found)) throw new Error(found.why);
  return found;
}

describe("a tapped square", () => {
  it("becomes a structure, then a gardener, then free again", () => {
    const structure = tap(newSeat(), "c3");
    expect([structure.built.includes("c3"), structure.gardeners]).toEqual([true, []]);
    const gardener = tap(structure, "c3");
    expect([gardener.built.includes("c3"), gardener.gardeners]).toEqual([true, ["c3"]]);
    const free = tap(gardener, "c3");
    expect([free.built, free.gardeners]).toEqual([newSeat().built, []]);
  });

  it("does not change in row 1, which is printed", () => {
    expect(afterTap(newSeat(), "c1", "tile")).toEqual({ why: "row_1", rule: "R2" });
  });

  it("sends a noble that can no longer stand there to the terrace, and the boar away", () => {
    const standing = tap(tap(newSeat(), "c3"), "c3", "noble");
    expect(standing.nobles).toEqual(["c3"]);
    expect(tap(standing, "c3").nobles).toEqual([]);
    expect(tap(newSeat(), "e4").boar).toBeNull();
    expect(withTile(newSeat(), "e5", "structure").boar).toBe("e4");
  });
});

describe("a noble", () => {
  it("stands on one structure of its column; a second tap sends it back", () => {
    const seat = tap(tap(tap(tap(newSeat(), "c3"), "c5"), "c3", "noble"), "c5", "noble");
    expect(seat.nobles).toEqual(["c5"]);
    expect(tap(seat, "c5", "noble").nobles).toEqual([]);
  });

  it("cannot stand on a free square or a gardener", () => {
    expect(afterTap(newSeat(), "c3", "noble")).toEqual({ why: "noble_on_free_square", rule: "R20" });
    const gardener = withTile(newSeat(), "c3", "gardener");
    expect(afterTap(gardener, "c3", "noble")).toEqual({ why: "noble_on_gardener", rule: "R20" });
  });

  it("steps down its column from structure to structure, then back to the terrace", () => {
    let seat = withTile(withTile(newSeat(), "c4", "structure"), "c3", "gardener");
    const rows = [1, 2, 3].map(() => (seat = stepped(seat, "c")).nobles);
    expect(rows).toEqual([["c1"], ["c4"], []]);
  });
});

it("a boar goes to a free square; a second tap there makes it leave", () => {
  const seat = tap(newSeat(), "d4", "boar");
  expect(seat.boar).toBe("d4");
  expect(tap(seat, "d4", "boar").boar).toBeNull();
  expect(afterTap(seat, "d1", "boar")).toEqual({ why: "boar_on_built_square", rule: "R35" });
});

it("taps go through all marks, on the sixteen squares of the reward board only", () => {
  let seat = newSeat();
  const marks = MARKS.map(() => (seat = tap(seat, "e3", "mark")).rewards.e3);
  expect(marks).toEqual(MARKS);
  expect(tap(seat, "e3", "mark").rewards).toEqual({});
  expect(afterTap(seat, "a2", "mark")).toEqual({ why: "no_mark_here", rule: "R29" });
  expect(REWARD_SQUARES.size).toBe(16);
  expect([...REWARD_SQUARES].filter((square) => square.endsWith("4"))).toEqual(["d4", "e4", "f4"]);
});

describe("a sheet", () => {
  const imperial = withEdition(newSheet(), "imperial");

  it("has the tools of the played expansions", () => {
    expect(toolsOf(newSheet())).toEqual(["tile", "noble"]);
    expect(toolsOf(withExpansion(imperial, "wild_boar", true))).toEqual(["tile", "noble", "boar"]);
    expect(toolsOf(withExpansion(imperial, "rewards", true))).toEqual(["tile", "noble", "mark"]);
  });

  it("loses the boar when another edition is chosen", () => {
    const boar = withExpansion(imperial, "wild_boar", true);
    expect(withEdition(boar, "ravensburger").expansions).toEqual([]);
  });

  it("keeps its seats when seats are added", () => {
    const named = withSeat(newSheet(), 0, newSeat("Ada"));
    expect(withSeats(named, 4).seats.map((seat) => seat.name)).toEqual(["Ada", "", "", ""]);
  });

  it("sends only the values of the played expansions", () => {
    const seat = {
      ...newSeat(),
      rewards: { e3: "+1" as const },
      trackBoar: 3,
      missions: ["c", null] as const,
    };
    const base = toRequest(withSeat(newSheet(), 0, seat)).seats[0]!;
    expect([base.boar, base.rewards, base.track_boar]).toEqual([null, {}, null]);
    expect([base.missions, base.track]).toEqual([["c"], 0]);
    const both = withExpansion(withExpansion(imperial, "wild_boar", true), "rewards", true);
    const played = toRequest(withSeat(both, 0, seat)).seats[0]!;
    expect([played.boar, played.rewards, played.track_boar]).toEqual(["e4", { e3: "+1" }, 3]);
  });

  it("is drawn as a garden", () => {
    const seat = tap(tap(newSeat(), "c3"), "c3", "noble");
    const garden = gardenOn(withSeat(newSheet(), 0, seat), seat);
    expect([garden.nobles.get("c"), garden.boar, garden.rewards]).toEqual(["c3", null, null]);
  });

  it("has the progress of rows and columns", () => {
    const seat = ["c2", "c3", "c4", "c5", "c6"].reduce(
      (one, square) => tap(one, square as Square),
      newSeat(),
    );
    const { rows, columns } = progressOf(seat);
    expect(columns.find(({ column }) => column === "c")!.built).toBe(6);
    expect(rows.map(({ row, built, points }) => [row, built, points])).toEqual([
      [2, 1, 8],
      [3, 1, 7],
      [4, 1, 6],
      [5, 1, 5],
      [6, 1, 4],
    ]);
  });
});

it("sides of boards can be laid out; a reward board hides the squares below it", () => {
  expect(sidesOf(BOARDS.gardens)).toEqual(["0.0", "0.1", "1.0"]);
  expect(withBoardSides(newSeat(), BOARDS, "0.0", false).built).toContain("e4");
  const hidden = withBoardSides(withTile(newSeat(), "a2", "gardener"), BOARDS, "0.0", true);
  expect([hidden.built.includes("e4"), hidden.gardeners]).toEqual([false, ["a2"]]);
  expect(withRewards(newSeat(), BOARDS, "0.1").rewards).toEqual({ e3: "-2" });
});

describe("a stored sheet", () => {
  it("is read back", () => {
    const sheet = withExpansion(withEdition(newSheet(), "imperial"), "rewards", true);
    const seat = {
      ...tap(tap(newSeat("Ada"), "c3"), "c3", "noble"),
      track: 12,
      missions: ["c", "d"] as const,
    };
    const written = withSeat(sheet, 1, seat);
    expect(readSheet(JSON.parse(JSON.stringify(written)))).toEqual(written);
  });

  it.each([null, 7, {}, { seats: [] }, { seats: [1, 2, 3, 4, 5] }])("is null if it is %j", (value) => {
    expect(readSheet(value)).toBeNull();
  });

  it("is read without its invalid values", () => {
    const broken = {
      edition: "deluxe",
      expansions: ["wild_boar", "gold"],
      seats: [
        { name: 3, built: ["z9", "c3"], gardeners: ["d4", "a1", "c3"], nobles: ["c3", "c1"], track: "x" },
        { boar: "q1", rewards: { a1: "+1", e3: "+9", e4: "g3" }, missions: ["z", "b"], track: -5 },
      ],
    };
    const { edition, expansions, seats } = readSheet(broken)!;
    expect([edition, expansions]).toEqual(["ravensburger", []]);
    expect([seats[0]!.name, seats[0]!.built.length, seats[0]!.gardeners]).toEqual(["", 10, ["c3"]]);
    expect(seats[0]!.nobles).toEqual(["c1"]);
    expect([seats[0]!.track, seats[1]!.track]).toEqual([null, 0]);
    expect([seats[1]!.boar, seats[1]!.rewards, seats[1]!.missions]).toEqual([
      null,
      { e4: "g3" },
      [null, "b"],
    ]);
  });
});

describe("typed points", () => {
  it.each([
    ["12", 12],
    [" 7 ", 7],
    ["−3", -3],
    ["", null],
    ["many", null],
    ["1234", null],
  ])("%j is %j", (typed, points) => {
    expect(readPoints(typed)).toBe(points);
  });

  it("are raised to the minimum", () => {
    expect(readPoints("-3", 0)).toBe(0);
  });
});
