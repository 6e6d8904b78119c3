import { render } from "svelte/server";
import { expect, it } from "vitest";

import Portrait from "./Portrait.svelte";
import Portraits from "./Portraits.svelte";

const LEVELS = [1, 2, 3, 4, 5, 6].map((level) => `level:${level}`);
const hasPortrait = (player: string | null) =>
  render(Portrait, { props: { player } }).body.includes("portrait");

it("each level has a portrait of its own", () => {
  expect(LEVELS.every(hasPortrait)).toBe(true);
  const drawings = LEVELS.map((player) => render(Portraits, { props: { player } }).body);
  expect(new Set(drawings).size).toBe(LEVELS.length);
});

it("people and reference players have none", () => {
  const others = [null, "", "random", "greedy", "steward", "planner", "master", "level:7"];
  expect(others.some(hasPortrait)).toBe(false);
});
