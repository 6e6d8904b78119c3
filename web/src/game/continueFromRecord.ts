/** A position of a record as the start of a game against computer players. */
import type { NewChair, NewTable } from "../net/types";

export interface Continuation {
  /** How many turns count as played. */
  readonly turn: number;
  readonly seats: number;
  /** Which seat is one's own. */
  readonly seat: number;
  readonly name: string;
  /** Who plays on all other seats. */
  readonly player: string;
}

/** What the server needs of a record to go on from it; whatever else writers have put into it stays here. */
const NEEDED = ["format", "edition", "expansions", "setup"] as const;

export function tableFromRecord(record: Readonly<Record<string, unknown>>, plan: Continuation): NewTable {
  const { turn, seats, seat, name, player } = plan;
  const numbers = Array.from({ length: seats }, (_, index) => index);
  const kept = Object.fromEntries(NEEDED.map((field) => [field, record[field]]));
  const turns = (record["turns"] as readonly string[]).slice(0, turn);
  const chairs = numbers.map((index): NewChair =>
    index === seat ? { sitter: "person", name } : { sitter: "computer", player },
  );
  // Names are free text, and nobody plays under those of the record.
  const bare = numbers.map((index) => ({ name: String(index + 1) }));
  return { chairs, from: { record: { ...kept, seats: bare, turns }, turn } };
}
