import { describe, expect, it } from "vitest";

import { BOAR, copy, IMPERIAL, legalTurns, RAVENSBURGER, TURNS } from "../../tests/fixtures";
import { connected, gardenOf } from "./garden";
import {
  countUpSteps,
  restingStep,
  sceneSteps,
  animationSteps,
  movementsOf,
  TURN_DURATIONS,
  pointsMade,
  stagedMovement,
  replayedTurn,
  animatedTurn,
  type Movement,
  type AnimatedTurn,
} from "./animation";
import { asTurn, parseTurn } from "./notation";
import type { GardenView, PlayEvent } from "../net/types";
import { Staging } from "./staging";
import { EMPTY_LOG, appendUpdate, turnsOf } from "./eventLog";

/** All turns of two whole games. */
const SHOWN: readonly AnimatedTurn[] = [RAVENSBURGER, IMPERIAL].flatMap(({ over }) => {
  const { entries } = appendUpdate(EMPTY_LOG, over);
  const gardens = over.view.game!.gardens.map(gardenOf);
  return turnsOf(entries).map((turn) => replayedTurn(entries, turn, gardens[turn.seat ?? 0]!));
});

/** A turn in some garden, as it arrives with an update. */
function coming(before: GardenView, turn: string, points: PlayEvent["points"]): AnimatedTurn {
  const view = copy(IMPERIAL.views[0]!);
  view.game!.gardens[view.chairs[1]!.seat!] = before;
  const event = {
    type: "play",
    seq: 7,
    at: 0,
    chair: 1,
    house: true,
    stage: "playing",
    turn,
    points,
    refill: null,
  };
  return animatedTurn([event as unknown as PlayEvent], view)!;
}

/** Single turns: some disturb the boar. */
const COMING: readonly AnimatedTurn[] = TURNS.map(({ before, turn, points }) => coming(before, turn, points));
const kinds = (movements: readonly Movement[]) => movements.map(({ kind }) => kind);
const find = (wanted: (shown: AnimatedTurn) => boolean) => SHOWN.find(wanted)!;

describe("an animated turn", () => {
  it("moves one piece after the other: tile, boar, light, noble, points", () => {
    const order = ["tile", "boar", "light", "noble", "points"];
    for (const shown of [...SHOWN, ...COMING]) {
      const moved = kinds(movementsOf(shown));
      expect(moved).toEqual(order.filter((kind) => moved.some((one) => one === kind)));
      expect(moved.includes("boar")).toBe(shown.turn.boar !== null);
      expect(moved.includes("noble")).toBe(shown.turn.noble !== null);
    }
    expect(new Set(COMING.flatMap((shown) => kinds(movementsOf(shown))))).toEqual(new Set(order));
  });

  it("ends with the garden of the server", () => {
    COMING.forEach((shown, index) => expect(shown.after).toEqual(gardenOf(TURNS[index]!.after)));
  });

  it("takes the given time: each movement at most a quarter, and the result as long as a movement", () => {
    for (const shown of [...SHOWN, ...COMING]) {
      const moments = animationSteps(shown, TURN_DURATIONS.normal);
      expect(moments.reduce((sum, { duration }) => sum + duration, 0)).toBeCloseTo(1200);
      const moving = moments.filter(({ movement }) => movement !== null);
      for (const { duration } of moving) expect(duration).toBeGreaterThanOrEqual(150);
      for (const { duration } of moving) expect(duration).toBeLessThanOrEqual(300);
      expect(moments.at(-1)!.movement).toBeNull();
      expect(moments.at(-1)!.duration).toBeGreaterThanOrEqual(moving[0]!.duration - 0.01);
    }
  });

  it("has no steps without motion", () => {
    for (const shown of SHOWN) expect(animationSteps(shown, TURN_DURATIONS.none)).toEqual([]);
    expect(restingStep(SHOWN[0]!, 900)).toMatchObject({
      movement: null,
      duration: 900,
      scored: true,
      taken: true,
    });
  });

  it("starts with the garden before it and ends with the one after it", () => {
    for (const shown of SHOWN) {
      const [first, ...later] = animationSteps(shown, TURN_DURATIONS.normal);
      expect(first?.garden).toBe(shown.before);
      expect(first).toMatchObject({ taken: false, scored: false });
      expect(later.at(-1)?.garden).toEqual(shown.after);
      expect(later.at(-1)).toMatchObject({ taken: true, scored: true });
    }
  });

  it("keeps squares dark until the light runs", () => {
    const shown = find((one) => kinds(movementsOf(one)).includes("light"));
    for (const { movement, connected: awake } of animationSteps(shown, TURN_DURATIONS.normal)) {
      const early = movement?.kind === "tile" || movement?.kind === "boar";
      expect(awake).toEqual(connected(early ? shown.before : shown.after));
    }
  });

  it("hides the boar on its squares while it runs, before the light", () => {
    const row1 = [..."abcdefghi"].map((column) => `${column}1`);
    const garden = {
      printed: row1,
      built: [...row1, "c3"],
      gardeners: [],
      nobles: [],
      boar: "c2",
    };
    const shown = coming(garden, "c@0-c2~d2", { nobles: 0, rewards: 0, boar: 1 });
    const moments = animationSteps(shown, TURN_DURATIONS.normal);
    expect(kinds(moments.flatMap(({ movement }) => movement ?? []))).toEqual([
      "tile",
      "boar",
      "light",
      "points",
    ]);
    expect(moments.map((moment) => moment.garden.boar)).toEqual(["c2", null, "d2", "d2", "d2"]);
    expect(moments.map(({ connected: awake }) => awake.has("c3"))).toEqual([false, false, true, true, true]);
  });

  it("hides a noble on its squares while it walks", () => {
    const shown = find(({ turn }) => turn.noble !== null);
    const walking = animationSteps(shown, TURN_DURATIONS.normal).filter(
      ({ walking: column }) => column !== null,
    );
    expect(walking).toHaveLength(1);
    expect(walking[0]).toMatchObject({ movement: { kind: "noble" }, walking: shown.turn.noble![0] });
  });

  it("of the viewer animates only the points, since the rest moved while it was staged", () => {
    for (const shown of SHOWN) {
      const moments = animationSteps(shown, TURN_DURATIONS.normal, true);
      expect(kinds(moments.map(({ movement }) => movement!))).toEqual(
        shown.points.total === 0 && pointsMade(shown).size === 0 ? [] : ["points"],
      );
      for (const { garden } of moments) expect(garden).toEqual(shown.after);
    }
  });
});

describe("points", () => {
  it("rise on the squares where they were scored, and add up", () => {
    for (const shown of SHOWN) {
      const made = pointsMade(shown);
      expect([...made.values()].reduce((sum, points) => sum + points, 0)).toBe(shown.points.total);
    }
  });

  it("of a noble that stops on the new tile rise together", () => {
    const turn = asTurn("a@0-a2/a2");
    const made = pointsMade({ turn, points: { nobles: 2, rewards: 3, boar: 0, total: 5 } });
    expect(made).toEqual(new Map([["a2", 5]]));
  });

  it("are counted in at most ten steps of at least one", () => {
    expect(countUpSteps(3, 3)).toEqual([]);
    expect(countUpSteps(3, 6)).toEqual([4, 5, 6]);
    expect(countUpSteps(2, 0)).toEqual([1, 0]);
    expect(countUpSteps(0, 40)).toHaveLength(10);
    expect(countUpSteps(0, 40).at(-1)).toBe(40);
  });
});

describe("staging animates", () => {
  /** What moves with each step of a legal turn. */
  function steps(view: (typeof IMPERIAL.views)[number], text: string): Movement[] {
    const display = view.game!.display;
    let staging = Staging.begin(view)!;
    const turn = parseTurn(text)!;
    const moved: Movement[] = [];
    const take = (step: Parameters<Staging["choose"]>[0]) => {
      const next = staging.choose(step);
      const movement = stagedMovement(staging, next, display);
      if (movement !== null) moved.push(movement);
      staging = next;
    };
    take({ kind: "card", value: turn.card });
    take({ kind: "space", value: turn.space });
    take({ kind: "square", value: turn.square });
    if (turn.boar !== null) take({ kind: "boar", value: turn.boar });
    take({ kind: "noble", value: turn.noble ?? "none" });
    return moved;
  }

  it("the tile along its row, the boar, the noble", () => {
    const entry = BOAR.find(({ view }) => Object.keys(view.options?.boar ?? {}).length > 0)!;
    const turns = [...legalTurns(entry.view.options!)];
    const full = turns.find((turn) => /~[a-i]/.test(turn) && turn.includes("/"))!;
    const moved = steps(entry.view, full);
    expect(kinds(moved)[0]).toBe("tile");
    expect(kinds(moved).at(-1)).toBe("noble");
    const { square, boar, noble } = parseTurn(full)!;
    expect(moved).toContainEqual({ kind: "boar", from: square, to: boar });
    expect(moved.at(-1)).toMatchObject({ kind: "noble", column: noble![0] });
  });

  it("a tile that turns into a gardener on its built own square", () => {
    const view = [...RAVENSBURGER.views, ...IMPERIAL.views].find(({ options }) =>
      Object.values(options!.spaces).some((tiles) => tiles.length > 1),
    )!;
    const [space] = Object.entries(view.options!.spaces).find(([, tiles]) => tiles.length > 1)!;
    const text = [...legalTurns(view.options!)].find((turn) => turn.includes(`@${space}-`))!;
    const [tile] = steps(view, text);
    expect(tile).toMatchObject({ kind: "tile", space: Number(space), gardener: true });
    expect(tile).toHaveProperty(
      "by",
      `${view.game!.display[Number(space)]}${2 + Math.floor(Number(space) / 2)}`,
    );
  });

  it("nothing when a step is undone", () => {
    const view = RAVENSBURGER.views[0]!;
    const begun = Staging.begin(view)!;
    const staged = begun.stage(parseTurn([...legalTurns(view.options!)][0]!)!)!;
    expect(stagedMovement(staged, begun, view.game!.display)).toBeNull();
    expect(stagedMovement(null, staged, view.game!.display)).toBeNull();
  });
});

it("a scene begins with the garden as it was, ends with the garden going back, and needs motion", () => {
  const [shown] = SHOWN;
  const steps = sceneSteps(shown!, TURN_DURATIONS.normal);
  const [forward, back, rest] = [steps[0], steps.at(-1), steps.slice(1, -1)];
  expect(forward).toMatchObject({
    movement: { kind: "forward" },
    garden: shown!.before,
    taken: false,
    scored: false,
  });
  expect(rest).toEqual(animationSteps(shown!, TURN_DURATIONS.normal));
  expect(back).toMatchObject({ movement: null, garden: shown!.after, taken: true, scored: true });
  expect(steps.filter((step) => step.back)).toEqual([back]);
  expect(sceneSteps(shown!, TURN_DURATIONS.none)).toEqual([]);
});
