import { expect, it } from "vitest";

import { BOAR, IMPERIAL, legalTurns, RAVENSBURGER } from "../../tests/fixtures";
import { candidatesOf, demonstrationOf, hintOverlayOf } from "./hintOverlay";
import { parseTurn } from "./notation";
import type { Hint, TableView } from "../net/types";
import { Staging } from "./staging";

const expected = (turn: string, level = false) => ({ turn, score: 40, margin: 3, share: 0.5, level });

function hintFor(turn: string, others: string[] = [], reasons: Hint["reasons"] = []): Hint {
  return { turn, reasons, expected: expected(turn), others: others.map((other) => expected(other, true)) };
}

function drawn(view: TableView, turn: string, reasons: Hint["reasons"] = []) {
  const staging = Staging.begin(view)!;
  const [best] = candidatesOf(hintFor(turn), staging);
  return hintOverlayOf(best!, staging, reasons);
}

const VIEW = RAVENSBURGER.views[1]!;
const TURNS = [...legalTurns(VIEW.options!)];

it("a hint has candidates with their immediate points", () => {
  const staging = Staging.begin(VIEW)!;
  const candidates = candidatesOf(hintFor(TURNS[0]!, TURNS.slice(1, 3)), staging);
  expect(candidates.map(({ text }) => text)).toEqual(TURNS.slice(0, 3));
  expect(candidates.map(({ level }) => level)).toEqual([false, true, true]);
  for (const { turn, points } of candidates) expect(points).toEqual(staging.stage(turn)!.points);
});

it("a hint keeps the server's order: by chance of winning, then by margin", () => {
  const hint = hintFor(TURNS[0]!, TURNS.slice(1, 4));
  const figures = [
    { share: 0.41, margin: 1.2, score: 86 },
    { share: 0.41, margin: 1.1, score: 90 },
    { share: 0.4, margin: 2.5, score: 92 },
  ];
  const others = hint.others.map((other, index) => ({ ...other, ...figures[index]! }));
  const [, ...shown] = candidatesOf({ ...hint, others }, Staging.begin(VIEW)!);
  expect(shown.map(({ text }) => text)).toEqual(TURNS.slice(1, 4));
  expect(shown.map(({ share, margin }) => [share, margin])).toEqual([
    [0.41, 1.2],
    [0.41, 1.1],
    [0.4, 2.5],
  ]);
});

it("a hint leaves out turns that can no longer be staged", () => {
  const candidates = candidatesOf(hintFor("*@0-a2/i6", [TURNS[0]!]), Staging.begin(VIEW)!);
  expect(candidates.map(({ text }) => text)).toEqual([TURNS[0]]);
});

it("a hint marks card, space, the tile's square, the walk, and the stop with its points", () => {
  for (const view of [...RAVENSBURGER.views, ...IMPERIAL.views]) {
    const text = [...legalTurns(view.options!)].findLast((one) => one.includes("/"))!;
    const turn = parseTurn(text)!;
    const overlay = drawn(view, text);
    expect(overlay).toMatchObject({ card: turn.card, space: turn.space });
    expect(overlay.squares.get(turn.square)?.part).toBe("tile");
    const staged = Staging.begin(view)!.stage(turn)!.points;
    const shown = [...overlay.squares.values()].reduce((sum, { points }) => sum + points, 0);
    expect(shown).toBe(staged.total);
    if (turn.noble !== turn.square) expect(overlay.squares.get(turn.noble!)?.part).toBe("stop");
  }
});

it("a hint does not mark the walk of a noble that is staged already", () => {
  const walks = (text: string, staging: Staging) => {
    const [best] = candidatesOf(hintFor(text), staging);
    return [...hintOverlayOf(best!, staging, []).squares.values()].filter(({ part }) => part === "walk");
  };
  for (const view of [...RAVENSBURGER.views, ...IMPERIAL.views]) {
    const begun = Staging.begin(view)!;
    const text = [...legalTurns(view.options!)].find((one) => walks(one, begun).length > 0);
    if (text === undefined) continue;
    expect(walks(text, begun.stage(parseTurn(text)!)!)).toEqual([]);
    return;
  }
  expect.unreachable("some turn has a walk");
});

it("a stop on the tile is marked as a stop once the tile lies there", () => {
  const text = TURNS.find((one) => parseTurn(one)!.noble === parseTurn(one)!.square)!;
  const { card, space, square } = parseTurn(text)!;
  expect(drawn(VIEW, text).squares.get(square)?.part).toBe("tile");
  const laid = Staging.begin(VIEW)!
    .choose({ kind: "card", value: card })
    .choose({ kind: "space", value: space });
  expect(demonstrationOf(parseTurn(text)!, laid)?.squares.get(square)?.part).toBe("stop");
});

it("a hint marks where the boar goes, unless it leaves", () => {
  const view = BOAR.map((entry) => entry.view).find(
    ({ options }) => Object.keys(options?.boar ?? {}).length > 0,
  )!;
  const text = [...legalTurns(view.options!)].find((one) => /~[a-i]\d$/.test(one))!;
  expect(drawn(view, text).squares.get(parseTurn(text)!.boar as "a2")?.part).toBe("boar");
});

it("a hint numbers the squares of its reasons, in all gardens", () => {
  const reasons: Hint["reasons"] = [
    { key: "row_short", sentence: "", seat: null, squares: ["i6", "h6"] },
    { key: "denies", sentence: "", seat: 1, squares: ["c3"] },
    { key: "new_stop", sentence: "", seat: null, squares: ["i6"] },
  ];
  const { squares, others } = drawn(VIEW, TURNS[0]!, reasons);
  expect(squares.get("i6")?.reasons).toBe("1 3");
  expect(squares.get("h6")).toEqual({ part: "reason", points: 0, reasons: "1" });
  expect(squares.get("c3")?.reasons ?? "").toBe("");
  expect(others).toEqual(new Map([[1, new Map([["c3", "2"]])]]));
});

it("a demonstration marks nothing that another choice has ruled out", () => {
  const begun = Staging.begin(VIEW)!;
  const turn = parseTurn(TURNS.find((one) => one.includes("/"))!)!;
  const marks = (staging: Staging) => {
    const { card, space, squares } = demonstrationOf(turn, staging)!;
    return { card, space, squares: squares.size };
  };
  const card = { kind: "card", value: turn.card } as const;
  expect(marks(begun.choose(card))).toEqual(marks(begun));
  expect(marks(begun).squares).toBeGreaterThan(0);
  const otherCard = begun.choices("card").find((one) => one !== turn.card)!;
  expect(marks(begun.choose({ kind: "card", value: otherCard }))).toEqual({
    card: turn.card,
    space: null,
    squares: 0,
  });
  const otherSpace = begun
    .choose(card)
    .choices("space")
    .find((one) => one !== turn.space)!;
  expect(marks(begun.choose(card).choose({ kind: "space", value: otherSpace }))).toEqual({
    card: null,
    space: turn.space,
    squares: 0,
  });
});

it("a demonstration marks the stop of a noble once it can be chosen", () => {
  for (const view of [VIEW, ...BOAR.map((entry) => entry.view)]) {
    const texts = [...legalTurns(view.options!)].filter((one) => one.includes("/"));
    for (const turn of texts.slice(-5).map((one) => parseTurn(one)!)) {
      let staging = Staging.begin(view)!;
      const parts = () => [...demonstrationOf(turn, staging)!.squares.values()].map(({ part }) => part);
      for (const kind of ["card", "space", "square", "boar"] as const) {
        const value = turn[kind];
        if (staging.tile === null) expect(parts()).toEqual(["tile"]);
        if (value !== null && staging.value(kind) === null)
          staging = staging.choose({ kind, value } as Parameters<Staging["choose"]>[0]);
      }
      expect(parts()).toContain("stop");
    }
  }
});
