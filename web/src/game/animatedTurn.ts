/** A turn prepared for animation: the garden before and after it, the changed squares, and the noble's walk. */
import { after, before, gardenOf, walk, type Garden } from "./garden";
import { asTurn, columnOf, type Motif, type Square, type Turn } from "./notation";
import type { TurnPoints } from "./points";
import type { ChairView, GameView, PlayEvent, TableEvent } from "../net/types";
import { turnsOf, type LogEntry, type TurnEntry } from "./eventLog";

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
  const was = later.reduceRight((now, one) => before(now, one.turn, stoodOn(one)), garden);
  return withGardens(was, { seq, seat, turn, motif, points, house: by !== "person" });
}

/** Where the noble of a turn stood before; null for the terrace, or if unknown. */
function stoodOn({ noble }: TurnEntry): Square | null {
  return noble === null || noble.from === "terrace" ? null : noble.from;
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
