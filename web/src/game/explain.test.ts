import { describe, expect, it } from "vitest";

import {
  ALL_STEPS,
  begin,
  BOAR,
  COMPANY,
  copy,
  legalTurns,
  RAVENSBURGER,
  REFUSED,
  SOLO,
  TO_MOVE,
} from "../../tests/fixtures";
import { asTurn, SPACES, type Space } from "./notation";
import { isFreeChoice } from "./cards";
import { REASONS, REMARKS, remarks, whyNot, whyNoTurn, whyNotTurn, type ReasonCode } from "./explain";
import type { TableView } from "../net/types";
import { NO_NOBLE, type Staging, type Step } from "./staging";
import { stepsOf } from "./tilePlacements";

const MET = new Set<ReasonCode>();

/** Stagings of some turns with no step, one step, two steps …, in different orders. */
function* stagings(view: TableView): Generator<Staging> {
  yield begin(view);
  const legal = [...legalTurns(view.options!)];
  const turns = legal.filter((_, at) => at % Math.ceil(legal.length / 3) === 0);
  for (const turn of [...turns, ...legal.filter((text) => text.includes("~")).slice(0, 1)]) {
    const steps = stepsOf(asTurn(turn));
    for (const order of [steps, [steps[1]!, steps[2]!, steps[0]!], [steps[2]!, steps[1]!]]) {
      let staging = begin(view);
      for (const step of order) yield (staging = staging.choose(step));
    }
  }
}

describe("a reason", () => {
  it("is given exactly for the steps that cannot be chosen, whatever is staged", () => {
    const wrong: unknown[] = [];
    for (const view of TO_MOVE) {
      for (const staging of stagings(view)) {
        for (const step of ALL_STEPS) {
          const why = whyNot(view, staging, step);
          if ((why === null) !== staging.can(step)) wrong.push([staging.toJSON(), step, why]);
          if (why !== null) MET.add(why.code);
        }
      }
    }
    expect(wrong).toEqual([]);
  }, 30_000);

  it("occurs in real games for every code of a choice", () => {
    const others = [
      "not_begun",
      "watching",
      "ended",
      "game_over",
      "conceded",
      "paused",
      "stand_in_plays",
      "not_your_turn",
    ];
    const typed = ["no_turn", "boar_must_move", "gardener_by_choice", "no_tile_there"];
    const special = ["space_empty", "noble_other_column"];
    const expected = Object.keys(REASONS).filter((code) => ![...others, ...typed, ...special].includes(code));
    expect([...MET].sort()).toEqual(expected.sort());
  });

  it.each([...REFUSED, ...BOAR].map((entry, number) => [number, entry] as const))(
    "for a typed turn is that of the server, with its rule and details (%i)",
    (_, { view, refused }) => {
      expect(refused.length).toBeGreaterThan(10);
      for (const { turn, code, rule, details } of refused) {
        expect([turn, whyNotTurn(view, turn)]).toEqual([turn, { code, rule, details, because: [] }]);
      }
      for (const turn of legalTurns(view.options!)) expect(whyNotTurn(view, turn)).toBeNull();
      expect(whyNotTurn(view, "e4")?.code).toBe("no_turn");
    },
  );
});

describe("a space that no card takes", () => {
  it("has a reason for each card", () => {
    const view = TO_MOVE.find((one) => unfit(one) !== undefined)!;
    const why = whyNot(view, begin(view), { kind: "space", value: unfit(view)! })!;
    expect(why.code).toBe("no_card_takes");
    expect(why.because.map((one) => one.details["card"])).toEqual(view.game!.hand);
    expect(why.because.every((one) => ["R15", "R16"].includes(one.rule!))).toBe(true);
  });

  it("R22: may be empty at the very end", () => {
    const view = copy(RAVENSBURGER.views[2]!);
    view.game!.display[4] = null;
    for (const card of Object.keys(view.options!.cards)) {
      view.options!.cards[card] = view.options!.cards[card]!.filter((space) => space !== 4);
    }
    expect(whyNot(view, begin(view), { kind: "space", value: 4 })).toMatchObject({
      code: "space_empty",
      rule: "R22",
    });
  });
});

/** A space that neither of two cards takes. */
function unfit(view: TableView): Space | undefined {
  const cards = Object.values(view.options!.cards);
  return cards.length === 2
    ? SPACES.find((space) => cards.every((spaces) => !spaces.includes(space)))
    : undefined;
}

describe("a noble", () => {
  const view = TO_MOVE.find((one) => one.game!.gardens[one.you.seat!]!.gardeners.length > 2)!;
  const garden = view.game!.gardens[view.you.seat!]!;

  it("R20: cannot stop on a gardener, before and after the tile is laid", () => {
    const stop = garden.gardeners[0]! as "a2";
    const step: Step = { kind: "noble", value: stop };
    const staged = begin(view).stage(asTurn([...legalTurns(view.options!)][0]!))!;
    for (const staging of [begin(view), staged]) {
      expect(whyNot(view, staging, step)).toMatchObject({ code: "noble_on_gardener", rule: "R20" });
    }
  });

  it("R20: ends in its own column", () => {
    const staged = begin(view).stage(asTurn([...legalTurns(view.options!)][0]!))!;
    const stop = [...staged.stops.keys()][0]!;
    expect(whyNot(view, staged, { kind: "noble", value: stop }, stop[0] as "a")).toBeNull();
    const other = stop.startsWith("a") ? "b" : "a";
    expect(whyNot(view, staged, { kind: "noble", value: stop }, other)).toMatchObject({
      code: "noble_other_column",
      details: { square: stop, column: other },
    });
  });

  it("R14: moves after the tile is laid", () => {
    expect(whyNot(view, begin(view), { kind: "noble", value: NO_NOBLE })).toMatchObject({
      code: "tile_first",
      rule: "R14",
    });
  });
});

describe("a viewer who cannot play", () => {
  const waiting = SOLO.map((update) => update.view).find(
    (view) => view.stage === "playing" && view.options === null,
  );
  const playing = (change: (view: TableView) => void): TableView => {
    const view = copy(RAVENSBURGER.views[0]!);
    view.options = null;
    change(view);
    return view;
  };

  it.each([
    ["not_begun", SOLO[0]!.view],
    ["not_begun", RAVENSBURGER.picking],
    ["game_over", RAVENSBURGER.over.view],
    ["ended", COMPANY.view],
    ["watching", playing((view) => void (view.you = { ...view.you, chair: null, seat: null }))],
    ["conceded", playing((view) => void (view.chairs[0]!.conceded = true))],
    ["paused", playing((view) => void (view.paused = true))],
    ["stand_in_plays", playing((view) => void (view.chairs[0]!.away = true))],
    ["not_your_turn", playing((view) => void (view.game!.to_move = 1))],
  ] as [ReasonCode, TableView][])("gets the reason %s", (code, view) => {
    expect(whyNoTurn(view)?.code).toBe(code);
    expect(whyNot(view, null, { kind: "card", value: "*" })?.code).toBe(code);
    expect(whyNotTurn(view, "*@0-a2")?.code).toBe(code);
  });

  it("R1: gets the seat to move", () => {
    expect(whyNoTurn(playing((view) => void (view.game!.to_move = 1)))).toMatchObject({
      rule: "R1",
      details: { seat: 1 },
    });
    expect(waiting).toBeUndefined();
  });
});

describe("a remark", () => {
  const codes = new Set<string>();

  it("R16: is made when a motif card has become a free choice", () => {
    for (const view of TO_MOVE) {
      for (const card of begin(view).choices("card")) {
        const staged = begin(view).choose({ kind: "card", value: card });
        const said = remarks(view, staged).some((one) => one.code === "motif_absent" && one.rule === "R16");
        expect(said).toBe(isFreeChoice(view.game!.display, card));
        if (said) expect(view.options!.cards[card]).toHaveLength(10);
      }
    }
  });

  it("occurs for every code, with the points of the turn", () => {
    for (const view of [...TO_MOVE, ...TO_MOVE.map((view) => withScore(view, 1)), fullCross()]) {
      for (const text of legalTurns(view.options!)) {
        const staging = begin(view).stage(asTurn(text))!;
        for (const { code, details } of remarks(view, staging)) {
          codes.add(code);
          if (code.startsWith("mark")) expect(details["points"]).toBe(staging.points.rewards);
          if (code === "never_below_zero") expect(staging.points.rewards).toBe(-1);
        }
      }
    }
    expect([...codes].sort()).toEqual(Object.keys(REMARKS).sort());
  });
});

function withScore(view: TableView, total: number): TableView {
  const changed = copy(view);
  changed.game!.scores[changed.you.seat!]!.total = total;
  return changed;
}

/** R19: row and column of a tile are full, so that its gardener may go to any free square. */
function fullCross(): TableView {
  const view = copy(RAVENSBURGER.views[0]!);
  view.game!.display[0] = "a";
  view.options = {
    cards: { "*": [0] },
    spaces: { "0": ["c3g", "d4g"] },
    boar: {},
    stops: { c3g: {}, d4g: {} },
  };
  return view;
}
