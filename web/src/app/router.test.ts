import { describe, expect, it } from "vitest";

import { LINKS, readAddress, writeLink, writeReplay } from "./router";

const TABLE = "0123456789abcdef";
const SECRET = "A-_".repeat(14) + "z";

describe("an address", () => {
  it("shows the start, or a table", () => {
    expect(readAddress("/", "")).toEqual({ screen: "start" });
    expect(readAddress("/", "#new")).toEqual({ screen: "new" });
    expect(readAddress("/statistics", "")).toEqual({ screen: "statistics" });
    expect(readAddress(`/review/${SECRET}`, "")).toEqual({ screen: "review", review: SECRET });
    expect(readAddress(`/review/${SECRET.slice(1)}`, "")).toEqual({ screen: "unknown" });
    expect(readAddress("/daily", "")).toEqual({ screen: "daily" });
    expect(readAddress("/learn", "")).toEqual({ screen: "learn" });
    expect(readAddress("/lessons", "")).toEqual({ screen: "lessons" });
    expect(readAddress("/lessons/ways-1", "")).toEqual({ screen: "lesson", lesson: "ways-1" });
    expect(readAddress("/lessons/Ways", "")).toEqual({ screen: "unknown" });
    expect(readAddress("/lessons/ways-1/x", "")).toEqual({ screen: "unknown" });
    expect(readAddress("/scores", "")).toEqual({ screen: "scores" });
    expect(readAddress(`/table/${TABLE}`, "")).toEqual({ screen: "table", table: TABLE });
  });

  it.each([
    { table: null, secret: null, review: null, turn: null },
    { table: null, secret: null, review: null, turn: 5 },
    { table: null, secret: null, review: SECRET, turn: 7 },
    { table: TABLE, secret: null, review: null, turn: null },
    { table: TABLE, secret: SECRET, review: null, turn: 23 },
  ])("of a replay is read as it was written", (replay) => {
    const path = new URL(writeReplay(replay), "https://play.example.org");
    expect(path.pathname).toBe("/replay");
    expect(readAddress(path.pathname, path.hash)).toEqual({ screen: "replay", ...replay });
  });

  it("of a replay leaves out what is not right", () => {
    const wrong = `#table=${TABLE.toUpperCase()}&key=short&turn=-1`;
    expect(readAddress("/replay", wrong)).toEqual({
      screen: "replay",
      table: null,
      secret: null,
      review: null,
      turn: null,
    });
  });

  it.each(LINKS)("of a %s link is read as it was written", (kind) => {
    const link = new URL(writeLink("https://play.example.org", kind, TABLE, SECRET));
    expect(link.pathname + link.search).not.toContain(SECRET);
    expect(readAddress(link.pathname, link.hash)).toEqual({ screen: kind, table: TABLE, secret: SECRET });
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
  ])("like %s%s is none", (path, hash) => {
    expect(readAddress(path, hash)).toEqual({ screen: "unknown" });
  });
});
