/** A turn as it is shown when it has been played: where something has changed, and who walked how. */
import type { TableEvent, TableView } from "../api/types";
import { after, gardenOf, walk, type Garden } from "../state/garden";
import { asTurn, columnOf, type Motif, type Space, type Square, type Turn } from "../state/notation";
import type { TurnTelling } from "../state/tellings";

export interface ShownTurn {
  readonly seq: number;
  readonly seat: number;
  readonly turn: Turn;
  readonly space: Space;
  /** What was taken from the display. */
  readonly motif: Motif | null;
  readonly squares: ReadonlySet<Square>;
  readonly walk: readonly Square[];
  readonly points: { readonly nobles: number; readonly rewards: number; readonly boar: number };
}

/** The last turn that some events tell of; null if they tell of none. `before` is the view that they follow on. */
export function shownTurn(events: readonly TableEvent[], before: TableView | null): ShownTurn | null {
  const event = events.findLast((one) => one.type === "play");
  const chair = before?.chairs[event?.chair ?? -1];
  const seat = chair?.seat ?? null;
  const garden = seat === null ? undefined : before?.game?.gardens[seat];
  if (event === undefined || event.type !== "play" || seat === null || garden === undefined) return null;
  const turn = asTurn(event.turn);
  const laid = after(gardenOf(garden), { square: turn.square, gardener: turn.gardener, boar: turn.boar });
  return {
    seq: event.seq,
    seat,
    turn,
    space: turn.space,
    motif: (before?.game?.display[turn.space] ?? null) as Motif | null,
    squares: changed(turn),
    walk: (turn.noble && walk(laid, columnOf(turn.noble), turn.noble)) ?? [],
    points: event.points,
  };
}

/** A turn that was told before, shown once more in the garden as it is now. */
export function shownAgain(telling: TurnTelling, garden: Garden): ShownTurn {
  const { seq, seat, turn, motif, points, noble } = telling;
  const nobles = new Map(garden.nobles);
  if (noble?.from === "terrace") nobles.delete(noble.column);
  else if (noble?.from) nobles.set(noble.column, noble.from);
  return {
    seq,
    seat: seat ?? 0,
    turn,
    space: turn.space,
    motif,
    squares: changed(turn),
    walk: (noble && walk({ ...garden, nobles }, noble.column, noble.to)) ?? [],
    points,
  };
}

function changed(turn: Turn): ReadonlySet<Square> {
  const goal = turn.boar !== null && turn.boar !== "x" ? [turn.boar] : [];
  return new Set([turn.square, ...goal, ...(turn.noble === null ? [] : [turn.noble])]);
}
