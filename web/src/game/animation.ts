/**
 * Animations without a screen: what moves in a turn, in which order, for how long, and how the garden looks meanwhile.
 *
 *     event ──animatedTurn──▶ AnimatedTurn ──animationSteps──▶ steps ──Sequencer──▶ one step after the other
 *
 * One thing moves at a time, in the order of R14: tile, boar, light on the paths, noble, points. The state of the game
 * has changed before anything moves; a step says how to draw the garden as it was in between.
 */
import type { Speed } from "../app/settings";
import type { ChairView, GameView, PlayEvent, TableEvent } from "../net/types";
import { turnsOf, type LogEntry, type TurnEntry } from "./eventLog";
import { after, before, connected, gardenOf, lightRun, walk, type Garden } from "./garden";
import {
  asTurn,
  columnOf,
  LEAVES,
  ownSquare,
  type Column,
  type Motif,
  type Space,
  type Square,
  type Turn,
} from "./notation";
import type { TurnPoints } from "./points";
import type { Staging } from "./staging";

/** Milliseconds for which another player's turn is animated. */
export const TURN_DURATIONS: Readonly<Record<Speed, number>> = {
  none: 0,
  fast: 500,
  normal: 1200,
  slow: 2200,
};
/** Milliseconds in which another player's garden comes forward before the turn is animated. */
export const FORWARD_DURATION = 240;
/** Milliseconds in which it goes back; it may begin a frame or two late, and is back before the next turn. */
export const BACK_DURATION = 280;
/** Milliseconds for one movement while a turn is staged, and for one step of the light. */
export const GLIDE_DURATION = 240;
export const LIGHT_STEP = 70;

/** A turn with the garden before and after it, the squares that it changes, and the walk of its noble. */
export interface AnimatedTurn {
  readonly seq: number;
  readonly seat: number;
  readonly turn: Turn;
  /** What was taken from the display; null if unknown. */
  readonly motif: Motif | null;
  readonly squares: ReadonlySet<Square>;
  /** The squares that the noble steps on, and the one it came from; null on the terrace. */
  readonly walk: readonly Square[];
  readonly from: Square | null;
  readonly points: TurnPoints;
  readonly before: Garden;
  readonly after: Garden;
  /** Whether a computer player or a stand-in played it. */
  readonly house: boolean;
}

/** The last turn among some events; null if there is none. `view` is the view before these events. */
export function animatedTurn(
  events: readonly TableEvent[],
  view: { readonly chairs: readonly Pick<ChairView, "seat">[]; readonly game: GameView | null } | null,
): AnimatedTurn | null {
  const event = events.findLast((one): one is PlayEvent => one.type === "play");
  const seat = view?.chairs[event?.chair ?? -1]?.seat ?? null;
  const garden = seat === null ? undefined : view?.game?.gardens[seat];
  if (event === undefined || seat === null || garden === undefined) return null;
  const turn = asTurn(event.turn);
  const { nobles, rewards, boar } = event.points;
  return withGardens(gardenOf(garden), {
    seq: event.seq,
    seat,
    turn,
    motif: (view?.game?.display[turn.space] ?? null) as Motif | null,
    points: { nobles, rewards, boar, total: nobles + rewards + boar },
    house: event.house,
  });
}

/** An earlier turn, to be shown again; `garden` is the garden of its seat as it is now. */
export function replayedTurn(entries: readonly LogEntry[], entry: TurnEntry, garden: Garden): AnimatedTurn {
  const { seq, turn, motif, points, by } = entry;
  const seat = entry.seat ?? 0;
  const later = turnsOf(entries).filter((one) => one.seq >= seq && one.seat === entry.seat);
  const was = later.reduceRight((now, one) => before(now, one.turn, squareBefore(one)), garden);
  return withGardens(was, { seq, seat, turn, motif, points, house: by !== "person" });
}

/** The square where the noble of a turn stood before; null for the terrace, or if unknown. */
function squareBefore({ nobleFrom }: TurnEntry): Square | null {
  return nobleFrom === "terrace" ? null : nobleFrom;
}

type TurnFacts = Omit<AnimatedTurn, "squares" | "walk" | "from" | "before" | "after">;

function withGardens(was: Garden, facts: TurnFacts): AnimatedTurn {
  const { square, gardener, boar, noble } = facts.turn;
  const laid = after(was, { square, gardener, boar });
  const goal = boar !== null && boar !== "x" ? [boar] : [];
  return {
    ...facts,
    squares: new Set([square, ...goal, ...(noble === null ? [] : [noble])]),
    walk: (noble && walk(laid, columnOf(noble), noble)) ?? [],
    from: (noble && was.nobles.get(columnOf(noble))) ?? null,
    before: was,
    after: after(laid, { square, gardener, noble }),
  };
}

export type Movement =
  /** The garden comes forward, and nothing in it moves yet. */
  | { readonly kind: "forward" }
  /** Along its row to its own square `by`; if that is built, the tile becomes a gardener and goes on to `to`. */
  | {
      readonly kind: "tile";
      readonly space: Space;
      readonly motif: Motif | null;
      readonly by: Square | null;
      readonly to: Square | null;
      readonly gardener: boolean;
    }
  /** `to` is null if it leaves. */
  | { readonly kind: "boar"; readonly from: Square; readonly to: Square | null }
  /** Squares that light up along the path from the terrace, each after so many steps. */
  | { readonly kind: "light"; readonly steps: ReadonlyMap<Square, number> }
  /** `from` is null on the terrace. */
  | {
      readonly kind: "noble";
      readonly column: Column;
      readonly from: Square | null;
      readonly walk: readonly Square[];
    }
  | { readonly kind: "points"; readonly made: ReadonlyMap<Square, number> };

/** One part of an animated turn: what moves, and how the rest looks meanwhile. */
export interface AnimationStep {
  readonly turn: AnimatedTurn;
  /** Null while the result is shown and nothing moves. */
  readonly movement: Movement | null;
  readonly duration: number;
  readonly garden: Garden;
  readonly connected: ReadonlySet<Square>;
  /** The noble that is walking, and so is not drawn on a square. */
  readonly walking: Column | null;
  /** Whether the tile has been taken from the display. */
  readonly taken: boolean;
  /** Whether the points have been counted. */
  readonly scored: boolean;
  /** Whether the garden that came forward goes back. */
  readonly back: boolean;
}

/** What moves in a turn. The viewer's own turn moved while it was staged, so only its points are left. */
export function movementsOf(shown: AnimatedTurn, own = false): readonly Movement[] {
  const points = pointsMade(shown);
  const made: Movement[] = points.size > 0 ? [{ kind: "points", made: points }] : [];
  return own ? made : [...layingOf(shown), ...strollOf(shown), ...made];
}

function layingOf({ turn, motif, before, after: later }: AnimatedTurn): readonly Movement[] {
  const by = motif && ownSquare(motif, turn.space);
  const movements: Movement[] = [
    { kind: "tile", space: turn.space, motif, by, to: turn.square, gardener: turn.gardener },
  ];
  if (turn.boar !== null)
    movements.push({ kind: "boar", from: turn.square, to: turn.boar === LEAVES ? null : turn.boar });
  const steps = lightRun(before, later);
  if (steps.size > 0) movements.push({ kind: "light", steps });
  return movements;
}

function strollOf({ turn, walk: steps, from }: AnimatedTurn): readonly Movement[] {
  if (turn.noble === null || steps.length === 0) return [];
  return [{ kind: "noble", column: columnOf(turn.noble), from, walk: steps }];
}

/** Points by square: reward and boar on the tile, the noble's where it stops. */
export function pointsMade({
  turn,
  points,
}: Pick<AnimatedTurn, "turn" | "points">): ReadonlyMap<Square, number> {
  const laid = points.rewards + points.boar;
  const made = new Map<Square, number>(laid === 0 ? [] : [[turn.square, laid]]);
  if (turn.noble !== null && points.nobles !== 0)
    made.set(turn.noble, (made.get(turn.noble) ?? 0) + points.nobles);
  return made;
}

/**
 * The steps of a turn, which take `pace` milliseconds together and at most a quarter of it each; none if `pace` is 0.
 * The result is shown for at least as long as a movement. A moving piece is left out of the garden until the next step.
 */
export function animationSteps(shown: AnimatedTurn, pace: number, own = false): readonly AnimationStep[] {
  const movements = pace > 0 ? movementsOf(shown, own) : [];
  const duration = Math.min(pace / 4, pace / (movements.length + 1));
  const steps = movements.map((movement) => makeStep(shown, movement, duration, own));
  return own || pace === 0 ? steps : [...steps, restingStep(shown, pace - duration * movements.length)];
}

/** The steps of another player's turn as a scene: the garden comes forward, the turn is played in it, and it goes back. */
export function sceneSteps(shown: AnimatedTurn, pace: number): readonly AnimationStep[] {
  const forward = makeStep(shown, { kind: "forward" }, FORWARD_DURATION, false);
  const back = { ...restingStep(shown, BACK_DURATION), back: true };
  return pace > 0 ? [forward, ...animationSteps(shown, pace), back] : [];
}

/** The last step: the result of a turn, without movement. */
export function restingStep(shown: AnimatedTurn, duration: number): AnimationStep {
  return makeStep(shown, null, duration, true);
}

const ORDER = { forward: 0, tile: 0, boar: 1, light: 2, noble: 3, points: 4 } as const;

function makeStep(
  shown: AnimatedTurn,
  movement: Movement | null,
  duration: number,
  own: boolean,
): AnimationStep {
  // The viewer's own turn has moved while it was staged, so the whole of it lies there already.
  const now = movement === null || own ? ORDER.points : ORDER[movement.kind];
  const garden = gardenDuring(shown, now);
  return {
    turn: shown,
    movement,
    duration,
    garden,
    connected: connected(now < ORDER.light ? shown.before : garden), // squares stay dark until the light runs
    walking: movement?.kind === "noble" ? movement.column : null,
    taken: now > ORDER.tile,
    scored: movement === null || movement.kind === "points",
    back: false,
  };
}

/** The garden while a movement of that order is shown. */
function gardenDuring({ turn, before, after: later }: AnimatedTurn, now: number): Garden {
  const { square, gardener, boar } = turn;
  if (now === ORDER.tile) return before;
  const laid = after(before, { square, gardener, boar });
  if (now === ORDER.boar) return { ...laid, boar: null };
  return now < ORDER.points ? laid : later;
}

/** What moves when a step is staged: the tile, the boar, or a noble. */
export function stagedMovement(
  was: Staging | null,
  now: Staging | null,
  display: readonly (string | null)[],
): Movement | null {
  if (was === null || now === null) return null;
  const space = now.value("space");
  if (space !== null && space !== was.value("space")) return tileGlide(now, space, display);
  const [before, change] = [was.change, now.change];
  if (change === null) return null;
  const { boar = null, noble = null } = change;
  if (boar !== null && boar !== before?.boar)
    return { kind: "boar", from: change.square, to: boar === LEAVES ? null : boar };
  if (noble === null || noble === before?.noble) return null;
  return nobleGlide(now, noble);
}

function tileGlide(now: Staging, space: Space, display: readonly (string | null)[]): Movement {
  const motif = display[space] as Motif | null;
  const by = motif && ownSquare(motif, space);
  const to = now.change?.square ?? null;
  return { kind: "tile", space, motif, by, to, gardener: by !== to };
}

function nobleGlide({ preview, garden }: Staging, noble: Square): Movement | null {
  const column = columnOf(noble);
  const steps = walk({ ...preview, nobles: garden.nobles }, column, noble);
  return steps && { kind: "noble", column, from: garden.nobles.get(column) ?? null, walk: steps };
}

/** The numbers a score counts through, at most ten, ending with the new one. */
export function countUpSteps(from: number, to: number): readonly number[] {
  const steps = Math.min(10, Math.abs(to - from));
  return Array.from({ length: steps }, (_, step) => Math.round(from + ((to - from) * (step + 1)) / steps));
}

/** Runs `act` later; the returned function cancels it. */
export type Schedule = (milliseconds: number, act: () => void) => () => void;

export const schedule: Schedule = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
};

/** Shows the steps of an animation one after the other, and can skip to the end. */
export class Sequencer<Step extends { readonly duration: number }> {
  private endPause: () => void = () => {};
  /** Counts runs: a run that was finished early must not show its remaining steps. */
  private generation = 0;

  constructor(
    private readonly schedule: Schedule,
    /** Called with each step, and with null at the end. */
    private readonly show: (step: Step | null) => void,
  ) {}

  /** Show steps; resolves when they are over or skipped. A run in progress is finished first. */
  async play(steps: readonly Step[]): Promise<void> {
    this.finish();
    const { generation } = this;
    for (const step of steps) {
      this.show(step);
      await this.pause(step.duration);
      if (generation !== this.generation) return;
    }
    this.finish();
  }

  /** End the run at once, and wake the `play` that waits for its current step. */
  finish(): void {
    this.generation += 1; // before the waiting run wakes up, so that it sees that it is over
    this.show(null);
    this.endPause();
  }

  private pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.schedule(milliseconds, resolve);
      this.endPause = () => {
        cancel();
        resolve();
      };
    });
  }
}
