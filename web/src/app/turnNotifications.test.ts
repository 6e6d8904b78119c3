import { expect, test } from "vitest";

import { awaitingFirst, awaitsUser, newlyAwaiting, titleWithCount } from "./turnNotifications";
import type { OwnTable } from "../net/types";

const table = (name: string, stage: OwnTable["stage"], your_turn: boolean) =>
  ({ table: name, stage, your_turn }) as OwnTable;

test("the user's turns come first, then lobbies that await the user, then the rest in its order", () => {
  const tables = [
    table("lobby", "lobby", true),
    table("others", "playing", false),
    table("turn", "playing", true),
    table("over", "over", true),
    table("side", "picking", true),
  ];
  expect(awaitingFirst(tables).map((one) => one.table)).toEqual(["turn", "side", "lobby", "others", "over"]);
  expect(tables.filter(awaitsUser)).toHaveLength(3);
});

test("only tables that newly await the user are notified", () => {
  const before = [table("a", "playing", true), table("b", "playing", false)];
  const now = [table("a", "playing", true), table("b", "playing", true), table("c", "lobby", false)];
  expect(newlyAwaiting(before, now).map((one) => one.table)).toEqual(["b"]);
  expect(newlyAwaiting(null, now)).toEqual([]);
});

test.each([
  [3, "Sanssouci", "(3) Sanssouci"],
  [2, "(3) Sanssouci", "(2) Sanssouci"],
  [0, "(3) Sanssouci", "Sanssouci"],
  [0, "Sanssouci", "Sanssouci"],
])("the title contains the number of awaiting tables: %i", (count, title, wanted) => {
  expect(titleWithCount(count, title)).toBe(wanted);
});
