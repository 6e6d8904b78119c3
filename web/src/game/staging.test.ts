import { describe, expect, it } from "vitest";

import {
  ALL_STEPS,
  begin,
  BOAR,
  copy,
  IMPERIAL,
  legalTurns,
  RAVENSBURGER,
  SOLO,
  TO_MOVE,
  TURNS,
} from "../../tests/fixtures";
import { gardenOf } from "./garden";
import { asTurn, SPACES, writeTurn, type Tile } from "./notation";
import type { TableView } from "../net/types";
import { STEP_KINDS, NO_NOBLE, Staging, type Step } from "./staging";
import { stepsOf } from "./tilePlacements";

const FIRST = RAVENSBURGER.views[0]!;

/** All orders of some things. */
function orders<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((thing) =>
    orders(things.filter((other) => other !== thing)).map((rest) => [thing, ...rest]),
  );
}

/** At most so many of them, evenly spread, so that a test stays short. */
function sample<T>(things: readonly T[], most: number): T[] {
  const stride = Math.max(1, Math.ceil(things.length / most));
  return things.filter((_, index) => index % stride === 0);
}

/** Pseudorandom numbers, the same in every run. */
function* randomNumbers(seed: number): Generator<number> {
  for (let state = seed; ;) yield (state = (state * 48271) % 2147483647) / 2147483647;
}

/** Everything that is visible of a staging. */
function stateOf(staging: Staging): unknown {
  const values = STEP_KINDS.map((kind) => [staging.value(kind), staging.forced(kind), staging.choices(kind)]);
  return [staging.toJSON(), values, staging.need, staging.turn, staging.points, staging.change];
}

it.each(TO_MOVE.map((view, number) => [number, view] as const))(
  "a turn can be staged in every order (%i)",
  (_, view) => {
    const texts = sample([...legalTurns(view.options!)], 12);
    for (const text of texts)
      for (const order of orders(stepsOf(asTurn(text)))) stageInOrder(view, text, order);
  },
);

/** Take the steps in an order; boar and noble wait until it is clear where the tile lies. */
function stageInOrder(view: TableView, text: string, order: Step[]): void {
  let staging = begin(view);
  const waiting = [...order];
  while (waiting.length > 0) {
    const next = waiting.findIndex(
      (step) => staging.tile !== null || (step.kind !== "boar" && step.kind !== "noble"),
    );
    const [step] = waiting.splice(next, 1);
    if (staging.value(step!.kind) === step!.value) continue; // filled in automatically
    const before = staging;
    staging = before.choose(step!);
    expect(JSON.stringify(stateOf(staging.undo()))).toBe(JSON.stringify(stateOf(before)));
  }
  expect(staging.turn).toBe(text);
}

it("the choices lead to exactly the legal turns, and each can be staged at once", () => {
  for (const view of TO_MOVE) {
    const legal = new Set(legalTurns(view.options!));
    const made = new Set<string>();
    walkAll(begin(view), made);
    expect(made).toEqual(legal);
    for (const text of sample([...legal], 40)) expect(begin(view).stage(asTurn(text))?.turn).toBe(text);
  }
});

/** Follow all choices for the step that is needed next. */
function walkAll(staging: Staging, made: Set<string>): void {
  if (staging.turn !== null) made.add(staging.turn);
  if (staging.need === null) return;
  for (const value of staging.choices(staging.need))
    walkAll(staging.choose({ kind: staging.need, value } as Step), made);
}

describe("after random choices", () => {
  it.each(TO_MOVE.map((view, number) => [number, view] as const))(
    "only legal turns are completed (%i)",
    (number, view) => {
      const legal = new Set(legalTurns(view.options!));
      const random = randomNumbers(number + 1);
      let staging = begin(view);
      for (let tries = 0; tries < 400; tries += 1) {
        const step = ALL_STEPS[Math.floor(random.next().value * ALL_STEPS.length)]!;
        if (staging.can(step)) staging = staging.choose(step);
        else if (staging.value(step.kind) !== step.value)
          expect(() => staging.choose(step)).toThrow(RangeError);
        if (staging.turn !== null) expect(legal).toContain(staging.turn);
        if (random.next().value < 0.1) staging = staging.undo();
      }
    },
  );

  it("an illegal turn cannot be staged at once", () => {
    for (const { view, refused } of BOAR) {
      for (const { turn } of refused) expect(begin(view).stage(asTurn(turn))).toBeNull();
    }
  });
});

describe("a tile", () => {
  const { cards } = FIRST.options!;
  const count = (space: number): number =>
    Object.values(cards).filter((spaces) => spaces.includes(space)).length;

  it("chosen first fills in the card if only one fits", () => {
    const views = TO_MOVE.filter((view) => Object.keys(view.options!.cards).length === 2);
    const found = views.flatMap((view) =>
      SPACES.flatMap((space) => {
        const fits = Object.entries(view.options!.cards).filter(([, spaces]) => spaces.includes(space));
        return fits.length === 1 ? [{ view, space, card: fits[0]![0] }] : [];
      }),
    );
    expect(found.length).toBeGreaterThan(5);
    for (const { view, space, card } of found) {
      const staging = begin(view).choose({ kind: "space", value: space });
      expect(staging.value("card")).toBe(card);
      expect(staging.forced("card")).toBe(true);
      expect(staging.steps).toHaveLength(1);
    }
  });

  it("chosen first needs a card if both fit", () => {
    const view = TO_MOVE.find((one) => SPACES.some((space) => bothFit(one, space)))!;
    const space = SPACES.find((one) => bothFit(view, one))!;
    const staging = begin(view).choose({ kind: "space", value: space });
    expect(staging.need).toBe("card");
    expect(staging.choices("card")).toHaveLength(2);
  });

  it("whose own square is free fills it in", () => {
    const space = SPACES.find((one) => FIRST.options!.spaces[one]?.length === 1 && count(one) > 0)!;
    const staging = begin(FIRST).choose({ kind: "space", value: space });
    expect(staging.forced("square")).toBe(true);
    expect(staging.tile).toBe(FIRST.options!.spaces[space]![0]);
  });
});

function bothFit(view: TableView, space: number): boolean {
  const spaces = Object.values(view.options!.cards);
  return spaces.length === 2 && spaces.every((taken) => taken.includes(space));
}

it("a square chosen first leaves the spaces whose tile may lie there", () => {
  for (const view of TO_MOVE) {
    for (const square of begin(view).choices("square")) {
      const spaces = begin(view).choose({ kind: "square", value: square }).choices("space");
      const fits = (space: number): boolean =>
        view.options!.spaces[space]!.some((tile) => tile.startsWith(square));
      expect(spaces).toEqual(SPACES.filter((space) => view.options!.spaces[space] && fits(space)));
    }
  }
});

describe("a noble", () => {
  it("can be chosen only when the tile is certain", () => {
    const staging = begin(RAVENSBURGER.views[1]!);
    expect(staging.tile).toBeNull();
    expect(staging.choices("noble")).toEqual([]);
    expect(staging.stops.size).toBe(0);
    expect(staging.can({ kind: "noble", value: NO_NOBLE })).toBe(false);
  });

  it("is filled in as none if none can move", () => {
    const view = copy(FIRST);
    for (const tile of Object.keys(view.options!.stops)) view.options!.stops[tile] = {};
    const [card, space, square] = stepsOf(asTurn([...legalTurns(view.options!)][0]!));
    const staging = [card, space, square].reduce((one, step) => one.choose(step!), begin(view));
    expect(staging.forced("noble")).toBe(true);
    expect(staging.complete).toBe(true);
  });
});

describe("another value for a step", () => {
  it("replaces the old one, keeps later steps that fit, and can be undone", () => {
    const view = TO_MOVE.find((one) =>
      SPACES.some((space) => (one.options!.spaces[space]?.length ?? 0) > 2),
    )!;
    const space = SPACES.find((one) => (view.options!.spaces[one]?.length ?? 0) > 2)!;
    const tiles = view.options!.spaces[space]! as Tile[];
    const [first, second] = tiles.map((tile) => asTurn(`*@0-${tile}`).square);
    const placed = begin(view)
      .choose({ kind: "space", value: space })
      .choose({ kind: "square", value: first! });
    const staged = placed.choose({ kind: "noble", value: NO_NOBLE });
    const other = staged.choose({ kind: "square", value: second! });
    expect(other.value("square")).toBe(second);
    expect(other.value("noble")).toBe(NO_NOBLE);
    expect(stateOf(other.undo())).toEqual(stateOf(staged));
    expect(other.choices("square")).toHaveLength(tiles.length);
  });

  it("drops steps that no longer fit", () => {
    const view = TO_MOVE.find((one) => Object.keys(one.options!.cards).length === 2 && alone(one) !== null)!;
    const { card, other, space } = alone(view)!;
    const staging = begin(view).choose({ kind: "card", value: card }).choose({ kind: "space", value: space });
    const changed = staging.choose({ kind: "card", value: other });
    expect(changed.steps).toEqual([{ kind: "card", value: other }]);
  });

  it("can always be another card; the tile stays if that card takes it, else it is dropped", () => {
    const seen = { kept: 0, dropped: 0 };
    for (const view of TO_MOVE.filter((one) => begin(one).choices("card").length === 2)) {
      for (const text of sample([...legalTurns(view.options!)], 4)) {
        const turn = asTurn(text);
        const other = begin(view)
          .choices("card")
          .find((card) => card !== turn.card)!;
        const takes = view.options!.cards[other]!.includes(turn.space);
        for (const order of orders(stepsOf(turn))) {
          const before = staged(view, order);
          const now = before.choose({ kind: "card", value: other });
          expect(now.value("card")).toBe(other);
          if (takes) expect(now.turn).toBe(writeTurn({ ...turn, card: other }));
          else expect(now.value("space")).not.toBe(turn.space);
          expect(before.dropped({ kind: "card", value: other })[0]).toBe(takes ? undefined : "space");
          expect(stateOf(now.undo())).toEqual(stateOf(before));
          seen[takes ? "kept" : "dropped"] += 1;
        }
      }
    }
    expect(Math.min(seen.kept, seen.dropped)).toBeGreaterThan(100);
  }, 30_000);

  it("keeps a tile that was filled in for the old card", () => {
    const view = copy(FIRST);
    const [one, two] = begin(view).choices("card");
    const space = SPACES.find((number) => bothFit(view, number))!;
    view.options!.cards[one!] = [space];
    const staging = begin(view).choose({ kind: "card", value: one! });
    expect(staging.forced("space")).toBe(true);
    expect(staging.choose({ kind: "card", value: two! }).value("space")).toBe(space);
    expect(staging.dropped({ kind: "card", value: two! })).toEqual([]);
  });

  it("of the space drops a card that does not take it", () => {
    const view = copy(FIRST);
    const [card, other] = begin(view).choices("card");
    const [space, next] = SPACES.filter((one) => view.options!.spaces[one] !== undefined);
    view.options!.cards = { [card!]: [space!], [other!]: [space!, next!] };
    const staging = begin(view).choose({ kind: "space", value: space! });
    expect(staging.dropped({ kind: "space", value: next! })).toEqual([]);
    const chosen = staging.choose({ kind: "card", value: card! });
    expect(chosen.dropped({ kind: "space", value: next! })).toEqual(["card"]);
    expect(chosen.choose({ kind: "space", value: next! }).value("card")).toBe(other);
    expect(chosen.dropped({ kind: "space", value: space! })).toEqual([]);
  });

  it("that is already chosen changes nothing", () => {
    const card = begin(FIRST).choices("card")[0]!;
    const staging = begin(FIRST).choose({ kind: "card", value: card });
    expect(staging.choose({ kind: "card", value: card })).toBe(staging);
  });
});

/** Take steps in an order, but boar and noble last. */
function staged(view: TableView, order: readonly Step[]): Staging {
  const early = order.filter(({ kind }) => kind !== "boar" && kind !== "noble");
  const late = order.filter((step) => !early.includes(step));
  return [...early, ...late].reduce((staging, step) => staging.choose(step), begin(view));
}

/** A space that one card of the hand takes and the other does not. */
function alone(view: TableView) {
  const [one, two] = begin(view).choices("card");
  const taken = (card: string): number[] => view.options!.cards[card]!;
  const space = SPACES.find((number) => taken(one!).includes(number) && !taken(two!).includes(number));
  return space === undefined ? null : { card: one!, other: two!, space };
}

describe("the boar", () => {
  it("that is disturbed needs a goal before the turn is complete", () => {
    const [moves] = BOAR.map(({ view }) => view);
    const tile = Object.keys(moves!.options!.boar)[0]!;
    const text = [...legalTurns(moves!.options!)].find((turn) => turn.includes(tile))!;
    const [card, space, square] = stepsOf(asTurn(text));
    const staging = [card, space, square].reduce((one, step) => one.choose(step!), begin(moves!));
    expect(staging.disturbs).toBe(true);
    expect(staging.need).toBe("boar");
    expect(staging.choices("boar")).toEqual(moves!.options!.boar[tile]);
    expect(staging.points.boar).toBe(1);
  });

  it("R36: that has nowhere to go leaves, for 4 points", () => {
    const leaves = BOAR[1]!.view;
    const tile = Object.keys(leaves.options!.boar)[0]!;
    const text = [...legalTurns(leaves.options!)].find((turn) => turn.includes(tile))!;
    const staging = begin(leaves).stage({ ...asTurn(text) })!;
    expect(staging.points.boar).toBe(4);
    expect(staging.preview.boar).toBeNull();
    const [card, space, square] = stepsOf(asTurn(text));
    const forced = [card, space, square].reduce((one, step) => one.choose(step!), begin(leaves));
    expect(forced.forced("boar")).toBe(true);
  });
});

describe("points", () => {
  it.each(TURNS.map((played) => [played.turn, played] as const))(
    "of %s are those of the server",
    (text, played) => {
      const turn = asTurn(text);
      const view = copy(FIRST);
      const tile = text.slice(text.indexOf("-") + 1).match(/^..g?/)![0];
      view.game!.gardens[view.you.seat!] = played.before;
      view.game!.scores[view.you.seat!]!.total = played.total;
      view.options = {
        cards: { [turn.card]: [turn.space] },
        spaces: { [turn.space]: [tile] },
        boar: turn.boar === null ? {} : { [tile]: [turn.boar] },
        stops: { [tile]: turn.noble === null ? {} : { [turn.noble]: Number(turn.noble[1]) } },
      };
      const staging = begin(view).stage(turn)!;
      const { total, ...parts } = staging.points;
      expect(parts).toEqual(played.points);
      expect(total).toBe(played.points.nobles + played.points.rewards + played.points.boar);
      expect(staging.preview).toEqual(gardenOf(played.after));
    },
  );

  it("are zero before a tile is chosen", () => {
    expect(begin(FIRST).points.total).toBe(0);
    expect(begin(FIRST).preview).toEqual(begin(FIRST).garden);
  });
});

describe("a staged turn", () => {
  const view = IMPERIAL.views[1]!;
  const staged = sample([...legalTurns(view.options!)], 30).map((text) =>
    stepsOf(asTurn(text)).reduce((one, step) => one.choose(step), begin(view)),
  );

  it("survives being saved, with its undo history", () => {
    for (const staging of staged) {
      const { staging: again, dropped } = Staging.from(JSON.parse(JSON.stringify(staging)), copy(view));
      expect(dropped).toBeNull();
      expect(stateOf(again!)).toEqual(stateOf(staging));
      expect(stateOf(again!.undo())).toEqual(stateOf(staging.undo()));
    }
  });

  it("stays when other events happen at the table", () => {
    const later = { ...copy(view), seq: view.seq + 3, agreed: [1] };
    expect(Staging.from(staged[0]!.toJSON(), later).staging!.turn).toBe(staged[0]!.turn);
  });

  it.each([
    ["turn_over", (later: TableView) => void (later.game!.turn += 4)],
    ["turn_over", (later: TableView) => void (later.you.seat = (later.you.seat! + 1) % 4)],
    ["not_your_turn", (later: TableView) => void (later.options = null)],
    ["other_table", (later: TableView) => void (later.table = "ffffffffffffffff")],
    ["not_possible", (later: TableView) => void (later.options!.cards = { "*": [0] })],
  ])("is dropped with a reason: %s", (reason, change) => {
    const later = copy(view);
    change(later);
    const card = staged[0]!;
    expect(card.value("card")).not.toBe("*");
    const { staging, dropped } = Staging.from(card.toJSON(), later);
    expect(dropped).toBe(reason);
    expect(staging?.steps ?? []).toEqual([]);
  });

  it.each([
    null,
    3,
    "x",
    {},
    { table: view.table, seat: 0, turn: 31, past: [[{ kind: "card", value: "zz" }]] },
  ])("saved as %j is dropped as broken", (saved) => {
    expect(Staging.from(saved, view).dropped).toBe("broken");
  });

  it("starts only when the viewer is to move", () => {
    expect(Staging.begin(IMPERIAL.watched)).toBeNull();
    expect(Staging.begin(IMPERIAL.over.view)).toBeNull();
    expect(Staging.begin(SOLO[0]!.view)).toBeNull();
  });
});
