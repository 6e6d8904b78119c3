/**
 * The part of a board that log entries need: the display, and where the nobles stand.
 *
 * An event says what was done, but not which motif a gardener's tile had or where a noble came from. That is in the view
 * before it. For the events of a whole game there is no such view, so the start is derived from them as far as possible.
 */

import { gardenOf } from "./garden";
import {
  asColumn,
  asTurn,
  columnOf,
  SPACES,
  type Column,
  type Motif,
  type Square,
  type Turn,
} from "./notation";
import type { GameView, TableEvent } from "../net/types";

export interface BoardSnapshot {
  /** How many turns have been played. */
  readonly turn: number;
  readonly seats: number;
  /** Null where no tile lies; undefined where it is unknown. */
  readonly display: readonly (Motif | null | undefined)[];
  /** By seat. */
  readonly nobles: readonly ReadonlyMap<Column, Square>[];
}

export function snapshotOf(game: GameView): BoardSnapshot {
  return {
    turn: game.turn,
    seats: game.variant.seats,
    display: game.display.map((motif) => (motif === null ? null : asColumn(motif))),
    nobles: game.gardens.map((garden) => gardenOf(garden).nobles),
  };
}

/** The start of a game, derived from all its events and the view after them. */
export function startSnapshot(game: GameView, events: readonly TableEvent[]): BoardSnapshot {
  const turns = events.flatMap((event) => (event.type === "play" ? [asTurn(event.turn)] : []));
  const seats = game.variant.seats;
  return {
    turn: 0,
    seats,
    display: SPACES.map((space) => {
      const first = turns.find((turn) => turn.space === space);
      return first === undefined ? snapshotOf(game).display[space] : structureOf(first);
    }),
    nobles: Array.from({ length: seats }, () => new Map()),
  };
}

/** The motif of a tile laid as a structure; undefined for a gardener, which hides it. */
function structureOf(turn: Turn): Motif | undefined {
  return turn.gardener ? undefined : columnOf(turn.square);
}

/** The board after a turn. */
export function afterTurn(
  board: BoardSnapshot,
  seat: number,
  turn: Turn,
  refill: Motif | null,
): BoardSnapshot {
  const nobles = new Map(board.nobles[seat]);
  if (turn.noble !== null) nobles.set(columnOf(turn.noble), turn.noble);
  return {
    ...board,
    turn: board.turn + 1,
    display: board.display.map((motif, space) => (space === turn.space ? refill : motif)),
    nobles: board.nobles.map((others, place) => (place === seat ? nobles : others)),
  };
}
