import { describe, expect, it } from "vitest";

import { GUIDED } from "../../../tests/fixtures";
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
import { asTurn, motifOf } from "../../game/notation";
import { NO_NOBLE, Staging } from "../../game/staging";
import { EMPTY_LOG, appendUpdate, turnsOf } from "../../game/eventLog";
import { stepsOf } from "../../game/tilePlacements";

const TABLE = "0123456789abcdef";
const NOTHING = { done: [], chapter: null, table: null };

function begin(chapter: Chapter): Staging {
  return Staging.begin(GUIDED[chapter].begins)!;
}

/** What is spoken of before each step of a turn, and when it is whole. */
function matters(chapter: Chapter, text: string): readonly Topic[] {
  const view = GUIDED[chapter].begins;
  let staging = begin(chapter);
  const heard = [tipFor(chapter, view, staging).topic];
  for (const step of stepsOf(asTurn(text))) {
    staging = staging.choose(step);
    heard.push(tipFor(chapter, view, staging).topic);
  }
  return heard.filter((topic, index) => topic !== heard[index - 1]);
}

describe("a chapter", () => {
  it.each(CHAPTERS)("is led from step to step: %s", (chapter) => {
    const square = chapter === "gardener" ? ["square"] : [];
    const steps = ["card", "space", ...square, "noble", "ready"];
    expect(matters(chapter, game.chapters[chapter].play)).toEqual(steps);
  });

  it.each(CHAPTERS)("has its aim ticked by the turn that is shown, and by nothing before: %s", (chapter) => {
    const view = GUIDED[chapter].begins;
    const staging = begin(chapter);
    expect(tipFor(chapter, view, staging).met).toBeNull();
    const whole = staging.stage(asTurn(game.chapters[chapter].play))!;
    expect(tipFor(chapter, view, whole)).toMatchObject({ topic: "ready", met: true });
  });

  it.each(CHAPTERS)("knows by what was told that its turn was played: %s", (chapter) => {
    const { begins, played } = GUIDED[chapter];
    const [turn] = turnsOf(appendUpdate(EMPTY_LOG, played).entries);
    expect(turn!.text).toBe(game.chapters[chapter].play);
    expect(tipAfter(chapter, begins, turn!)).toMatchObject({ topic: "played", met: true });
  });
});

describe("a turn that misses the aim", () => {
  it("leaves the nobles where they are", () => {
    const { begins } = GUIDED.turn;
    const [card, space] = stepsOf(asTurn(game.chapters.turn.play));
    const staging = begin("turn").choose(card!).choose(space!).choose({ kind: "noble", value: NO_NOBLE });
    expect(tipFor("turn", begins, staging)).toEqual({ topic: "other", met: false, rule: "R20" });
  });

  it("lays a tile on its own square, is told so at once, and can be undone", () => {
    const { begins } = GUIDED.gardener;
    const staging = begin("gardener")
      .choose({ kind: "card", value: "b" })
      .choose({ kind: "space", value: 5 });
    expect(tipFor("gardener", begins, staging)).toMatchObject({ topic: "other", met: false });
    expect(tipFor("gardener", begins, staging.undo())).toMatchObject({ topic: "space", met: null });
  });

  it("plays the card whose motif is there", () => {
    const { begins } = GUIDED.free;
    const card = begin("free")
      .choices("card")
      .find((one) => begins.game!.display.includes(motifOf(one)))!;
    const staging = begin("free").choose({ kind: "card", value: card });
    expect(tipFor("free", begins, staging)).toMatchObject({ topic: "other", met: false });
  });

  it("moves a noble of no mission", () => {
    const { begins } = GUIDED.mission;
    const [card, space] = stepsOf(asTurn(game.chapters.mission.play));
    const laid = begin("mission").choose(card!).choose(space!);
    const stop = [...laid.stops.keys()].find(
      (square) => !begins.game!.missions[0]!.includes(square.charAt(0)),
    )!;
    const staging = laid.choose({ kind: "noble", value: stop });
    expect(tipFor("mission", begins, staging)).toMatchObject({ topic: "other", met: false });
  });

  it.each(CHAPTERS)("is known when it was played: %s", (chapter) => {
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

describe("how far somebody has come", () => {
  it("goes on from chapter to chapter", () => {
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

  it("comes back to a chapter that was begun out of turn", () => {
    expect(chapterToResume(withBegun(NOTHING, "free", TABLE))).toBe("free");
    expect(chapterToResume(withFinished(withBegun(NOTHING, "free", TABLE), "free"))).toBe("turn");
  });

  it("leaves out what is not right in what was kept", () => {
    for (const kept of [null, 7, "done", [], { done: 3, chapter: "boar", table: TABLE }])
      expect(readProgress(kept)).toEqual(NOTHING);
    expect(readProgress({ done: ["free", "x", "free"], chapter: "turn", table: "../x" })).toEqual({
      done: ["free"],
      chapter: "turn",
      table: null,
    });
    expect(chapterAt(null, TABLE)).toBeNull();
  });
});
