import { describe, expect, it } from "vitest";

import { begin as beginTurn, GUIDED } from "../../../tests/fixtures";
import game from "./game.json";
import {
  withBegun,
  chapterAt,
  CHAPTERS,
  withFinished,
  nextChapter,
  tipAfter,
  tipFor,
  chapterToResume,
  readProgress,
  type Chapter,
  type Topic,
} from "./tutorial";
import { asTurn, motifOf, writeTurn } from "../../game/notation";
import { NO_NOBLE, type Staging, type TurnView } from "../../game/staging";
import { EMPTY_LOG, appendUpdate, turnsOf } from "../../game/eventLog";
import { stepsOf } from "../../game/tilePlacements";

const TABLE = "0123456789abcdef";
const NOTHING = { done: [], chapter: null, table: null, tables: [] };

const tipOf = (chapter: Chapter, view: TurnView, staging: Staging) =>
  tipFor(chapter, view, staging, asTurn(game.chapters[chapter].play).card);
const begin = (chapter: Chapter) => beginTurn(GUIDED[chapter].begins);

/** The topics of the tips before each step of a turn, and when it is complete. */
function topicsOf(chapter: Chapter, text: string): readonly Topic[] {
  const view = GUIDED[chapter].begins;
  let staging = begin(chapter);
  const topics = [tipOf(chapter, view, staging).topic];
  for (const step of stepsOf(asTurn(text))) {
    staging = staging.choose(step);
    topics.push(tipOf(chapter, view, staging).topic);
  }
  return topics.filter((topic, index) => topic !== topics[index - 1]);
}

describe("a chapter", () => {
  it.each(CHAPTERS)("has a tip for each step: %s", (chapter) => {
    const square = chapter === "gardener" ? ["square"] : [];
    const steps = ["card", "space", ...square, "noble", "ready"];
    expect(topicsOf(chapter, game.chapters[chapter].play)).toEqual(steps);
  });

  it.each(CHAPTERS)("has its goal met by the suggested turn, and not before: %s", (chapter) => {
    const view = GUIDED[chapter].begins;
    const staging = begin(chapter);
    expect(tipOf(chapter, view, staging).met).toBeNull();
    const whole = staging.stage(asTurn(game.chapters[chapter].play))!;
    expect(tipOf(chapter, view, whole)).toMatchObject({ topic: "ready", met: true });
  });

  it.each(CHAPTERS)("recognizes the played turn in the log: %s", (chapter) => {
    const { begins, played } = GUIDED[chapter];
    const [turn] = turnsOf(appendUpdate(EMPTY_LOG, played).entries);
    expect(writeTurn(turn!.turn)).toBe(game.chapters[chapter].play);
    const topic = chapter === "mission" ? "played_last" : "played";
    expect(tipAfter(chapter, begins, turn!)).toMatchObject({ topic, met: true });
  });
});

it("another card than the suggested one has a tip of its own, as its tiles differ", () => {
  const topics = CHAPTERS.flatMap((chapter) =>
    begin(chapter)
      .choices("card")
      .filter((card) => card !== asTurn(game.chapters[chapter].play).card)
      .map(
        (value) =>
          tipOf(chapter, GUIDED[chapter].begins, begin(chapter).choose({ kind: "card", value })).topic,
      ),
  );
  expect(topics).toContain("other_card");
  expect(topics).not.toContain("space");
});

it("a tile with which no noble of a mission can walk has a tip of its own", () => {
  const { begins } = GUIDED.mission;
  const suggested = asTurn(game.chapters.mission.play).space;
  const stuck = begin("mission")
    .choices("space")
    .filter((space) => space !== suggested)
    .map((value) => begin("mission").choose({ kind: "space", value }))
    .filter(({ tile }) => tile !== null);
  expect(stuck.length).toBeGreaterThan(0);
  for (const staging of stuck) {
    expect([...staging.stops.keys()].map((square) => square.charAt(0))).toEqual(["b"]);
    expect(tipOf("mission", begins, staging)).toMatchObject({ topic: "stuck", met: null });
    const stop = staging.choose({ kind: "noble", value: "b1" });
    expect(tipOf("mission", begins, stop)).toMatchObject({ topic: "stuck", met: false });
  }
});

it("a noble that can walk on makes its mission worth more later", () => {
  const { begins, played } = GUIDED.mission;
  const [turn] = turnsOf(appendUpdate(EMPTY_LOG, played).entries);
  const higher = { ...turn!, turn: { ...turn!.turn, noble: "i5" as const } };
  expect(tipAfter("mission", begins, higher)).toMatchObject({ topic: "played" });
});

describe("a turn that misses the goal", () => {
  it("moves no noble", () => {
    const { begins } = GUIDED.turn;
    const [card, space] = stepsOf(asTurn(game.chapters.turn.play));
    const staging = begin("turn").choose(card!).choose(space!).choose({ kind: "noble", value: NO_NOBLE });
    expect(tipOf("turn", begins, staging)).toEqual({ topic: "other", met: false, rule: "R20" });
  });

  it("lays a tile on its own square; the tip says so at once, and undo helps", () => {
    const { begins } = GUIDED.gardener;
    const staging = begin("gardener")
      .choose({ kind: "card", value: "b" })
      .choose({ kind: "space", value: 5 });
    expect(tipOf("gardener", begins, staging)).toMatchObject({ topic: "other", met: false });
    expect(tipOf("gardener", begins, staging.undo())).toMatchObject({ topic: "space", met: null });
  });

  it("plays a card whose motif is on the display", () => {
    const { begins } = GUIDED.free;
    const card = begin("free")
      .choices("card")
      .find((one) => begins.game!.display.includes(motifOf(one)))!;
    const staging = begin("free").choose({ kind: "card", value: card });
    expect(tipOf("free", begins, staging)).toMatchObject({ topic: "other", met: false });
  });

  it("moves a noble that is in no mission", () => {
    const { begins } = GUIDED.mission;
    const [card, space] = stepsOf(asTurn(game.chapters.mission.play));
    const laid = begin("mission").choose(card!).choose(space!);
    const stop = [...laid.stops.keys()].find(
      (square) => !begins.game!.missions[0]!.includes(square.charAt(0)),
    )!;
    const staging = laid.choose({ kind: "noble", value: stop });
    expect(tipOf("mission", begins, staging)).toMatchObject({ topic: "other", met: false });
  });

  it.each(CHAPTERS)("is recognized after it was played: %s", (chapter) => {
    const { begins, played } = GUIDED[chapter];
    const [turn] = turnsOf(appendUpdate(EMPTY_LOG, played).entries);
    const card = begins.game!.hand.includes("i") ? ("i" as const) : turn!.turn.card;
    const missed = {
      ...turn!,
      motif: "i" as const,
      turn: { ...turn!.turn, card, gardener: false, noble: null },
    };
    expect(tipAfter(chapter, begins, missed)).toMatchObject({ topic: "played_other", met: false });
  });
});

describe("the progress", () => {
  it("goes from chapter to chapter", () => {
    let progress = readProgress(null);
    const seen: Chapter[] = [];
    for (let next = chapterToResume(progress); next !== null; next = chapterToResume(progress)) {
      seen.push(next);
      progress = withBegun(progress, next, TABLE);
      expect(chapterToResume(progress)).toBe(next);
      expect(chapterAt(progress, TABLE)).toBe(next);
      progress = withFinished(progress, next);
    }
    expect(seen).toEqual(CHAPTERS);
    expect(CHAPTERS.map(nextChapter)).toEqual([...CHAPTERS.slice(1), null]);
  });

  it("returns to a chapter that was started out of order", () => {
    expect(chapterToResume(withBegun(NOTHING, "free", TABLE))).toBe("free");
    expect(chapterToResume(withFinished(withBegun(NOTHING, "free", TABLE), "free"))).toBe("turn");
  });

  it("remembers the tables of all chapters", () => {
    const later = withBegun(withBegun(NOTHING, "turn", TABLE), "gardener", "f".repeat(16));
    expect(readProgress({ ...later, tables: [...later.tables, "../x"] }).tables).toEqual([
      TABLE,
      "f".repeat(16),
    ]);
  });

  it("is read from storage without invalid values", () => {
    for (const stored of [null, 7, "done", [], { done: 3, chapter: "boar", table: TABLE }])
      expect(readProgress(stored)).toEqual(NOTHING);
    expect(readProgress({ done: ["free", "x", "free"], chapter: "turn", table: "../x" })).toEqual({
      done: ["free"],
      chapter: "turn",
      table: null,
      tables: [],
    });
    expect(chapterAt(null, TABLE)).toBeNull();
  });
});
