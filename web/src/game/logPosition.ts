/** Looking back while a game goes on: which position a line of the log is, and which turn led to a position. */
import { turnsOf, type LogEntry, type TurnEntry } from "./eventLog";

/** How many turns had been played after an event; null if it is no turn that stands. `last`: so many are now. */
export function positionOf(entries: readonly LogEntry[], seq: number, last: number): number | null {
  const turns = turnsOf(entries);
  const at = turns.findIndex((turn) => turn.seq === seq);
  return at < 0 ? null : last - (turns.length - 1 - at);
}

/** The turn that led to a position; nothing for the first one, and where it is not told any more. */
export function turnAt(entries: readonly LogEntry[], turn: number, last: number): TurnEntry | undefined {
  const turns = turnsOf(entries);
  return turns[turn - 1 - (last - turns.length)];
}
