import { expect, it } from "vitest";

import { tableFromRecord } from "./continueFromRecord";

const RECORD = {
  format: "sanssouci-record/1",
  edition: "imperial",
  expansions: ["wild_boar"],
  seats: [{ name: "Ada" }, { name: "x".repeat(100_000) }],
  setup: { tiles: "abc" },
  turns: ["36@2-g3/g3", "e@4-e4~d4", "*@1-b2g/b1"],
  result: { scores: [1, 2] },
  fair: { seed: "ab" },
  notes: "long",
};
const PLAN = { turn: 2, seats: 2, seat: 1, name: "Berta", player: "level:4" };

const table = tableFromRecord(RECORD, PLAN);

it("a continued game has one person, and the same computer player on all other chairs", () => {
  expect(table.chairs).toEqual([
    { sitter: "computer", player: "level:4" },
    { sitter: "person", name: "Berta" },
  ]);
});

it("a continued game sends only the needed fields of the record, up to its turn", () => {
  expect(table.from).toEqual({
    turn: 2,
    record: {
      format: RECORD.format,
      edition: RECORD.edition,
      expansions: RECORD.expansions,
      setup: RECORD.setup,
      seats: [{ name: "1" }, { name: "2" }],
      turns: RECORD.turns.slice(0, 2),
    },
  });
  expect(JSON.stringify(table).length).toBeLessThan(1000);
});
