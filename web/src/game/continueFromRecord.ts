/** A new game against computer players that starts from a position of a record. */
import type { NewChair, NewTable } from "../net/types";

export interface Continuation {
  /** How many turns of the record are kept. */
  readonly turn: number;
  readonly seats: number;
  /** The user's seat. */
  readonly seat: number;
  readonly name: string;
  /** The computer player on all other seats. */
  readonly player: string;
}

/** The fields of a record that the server needs; all others are left out. */
const NEEDED = ["format", "edition", "expansions", "setup"] as const;

export function tableFromRecord(record: Readonly<Record<string, unknown>>, plan: Continuation): NewTable {
  const { turn, seats, seat, name, player } = plan;
  const numbers = Array.from({ length: seats }, (_, index) => index);
  const needed = Object.fromEntries(NEEDED.map((field) => [field, record[field]]));
  const turns = (record["turns"] as readonly string[]).slice(0, turn);
  const chairs = numbers.map((index): NewChair =>
    index === seat ? { sitter: "person", name } : { sitter: "computer", player },
  );
  // The names of the record are free text and not needed.
  const numbered = numbers.map((index) => ({ name: String(index + 1) }));
  return { chairs, from: { record: { ...needed, seats: numbered, turns }, turn } };
}
