import { expect, it } from "vitest";

import { LINKS, parseRoute, writeLink, replayPath } from "./router";

const TABLE = "0123456789abcdef";
const SECRET = "A-_".repeat(14) + "z";

it("an address is parsed into a route", () => {
  expect(parseRoute("/", "")).toEqual({ screen: "start" });
  expect(parseRoute("/", "#new")).toEqual({ screen: "new" });
  expect(parseRoute("/rules", "#R20")).toEqual({ screen: "start" });
  expect(parseRoute("/statistics", "")).toEqual({ screen: "statistics" });
  expect(parseRoute(`/review/${SECRET}`, "")).toEqual({ screen: "review", review: SECRET });
  expect(parseRoute(`/review/${SECRET.slice(1)}`, "")).toEqual({ screen: "unknown" });
  expect(parseRoute("/daily", "")).toEqual({ screen: "daily" });
  expect(parseRoute("/learn", "")).toEqual({ screen: "learn" });
  expect(parseRoute("/lessons", "")).toEqual({ screen: "lessons" });
  expect(parseRoute("/lessons/ways-1", "")).toEqual({ screen: "lesson", lesson: "ways-1" });
  expect(parseRoute("/lessons/Ways", "")).toEqual({ screen: "unknown" });
  expect(parseRoute("/lessons/ways-1/x", "")).toEqual({ screen: "unknown" });
  expect(parseRoute("/scores", "")).toEqual({ screen: "scores" });
  expect(parseRoute(`/table/${TABLE}`, "")).toEqual({ screen: "table", table: TABLE });
});

it.each([
  { table: null, secret: null, review: null, turn: null },
  { table: null, secret: null, review: null, turn: 5 },
  { table: null, secret: null, review: SECRET, turn: 7 },
  { table: TABLE, secret: null, review: null, turn: null },
  { table: TABLE, secret: SECRET, review: null, turn: 23 },
])("the path of a replay is parsed back", (replay) => {
  const path = new URL(replayPath(replay), "https://play.example.org");
  expect(path.pathname).toBe("/replay");
  expect(parseRoute(path.pathname, path.hash)).toEqual({ screen: "replay", ...replay });
});

it("invalid fields of a replay address are ignored", () => {
  const wrong = `#table=${TABLE.toUpperCase()}&key=short&turn=-1`;
  expect(parseRoute("/replay", wrong)).toEqual({
    screen: "replay",
    table: null,
    secret: null,
    review: null,
    turn: null,
  });
});

it.each(LINKS)("a %s link is parsed back, and its secret is in the fragment only", (kind) => {
  const link = new URL(writeLink("https://play.example.org", kind, TABLE, SECRET));
  expect(link.pathname + link.search).not.toContain(SECRET);
  expect(parseRoute(link.pathname, link.hash)).toEqual({ screen: kind, table: TABLE, secret: SECRET });
});

it.each([
  ["/table", ""],
  ["/table/", ""],
  ["/table/0123", ""],
  [`/table/${TABLE}/more`, ""],
  [`/garden/${TABLE}`, `#${SECRET}`],
  [`/join/${TABLE}`, ""],
  [`/join/${TABLE}`, `#${SECRET}x`],
  [`/join/${SECRET}`, ""],
])("%s%s is not a valid address", (path, hash) => {
  expect(parseRoute(path, hash)).toEqual({ screen: "unknown" });
});
