import { expect, test } from "vitest";

import { noblesInDiagram, parseDiagram } from "./ruleDiagrams";

const DRAWING = ["###T#####", "..#......", "..%..&...", "#.N......", "..S...1-=", "*##***#*g"].join("\n");

test("characters become squares, pieces and marks", () => {
  const { garden, highlighted } = parseDiagram(DRAWING);
  expect(garden.built.has("d1") && garden.built.has("c3") && garden.built.has("c4")).toBe(true);
  expect(garden.built.has("c5")).toBe(true);
  expect(garden.built.has("a2") || garden.built.has("a6")).toBe(false);
  expect([...garden.gardeners]).toEqual(["c3"]);
  expect([...garden.nobles]).toEqual([["c", "c4"]]);
  expect(garden.boar).toBe("f3");
  expect(Object.fromEntries(garden.rewards ?? [])).toEqual({ g5: "+1", h5: "-2", i5: "-3", i6: "g3" });
  expect([...highlighted]).toEqual(["c5", "a6", "d6", "e6", "f6", "h6"]);
});

test("only the nobles in the diagram are shown, on the terrace too", () => {
  expect([...noblesInDiagram(DRAWING)]).toEqual(["c", "d"]);
});

test("a garden without marks has no reward board", () => {
  expect(parseDiagram("#########").garden.rewards).toBeNull();
});
