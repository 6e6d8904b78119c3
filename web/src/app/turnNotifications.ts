/** Tables that await the user: it is their turn, or everybody else is ready. */
import type { OwnTable } from "../net/types";

type AwaitingTable = Pick<OwnTable, "stage" | "your_turn">;

export function awaitsUser({ stage, your_turn }: AwaitingTable): boolean {
  return your_turn && stage !== "over";
}

/** Those that call come first, a turn before a lobby; otherwise as the server has them. */
export function awaitingFirst<Table extends AwaitingTable>(tables: readonly Table[]): readonly Table[] {
  const rank = (table: Table) => (awaitsUser(table) ? (table.stage === "lobby" ? 1 : 0) : 2);
  return [...tables].sort((one, other) => rank(one) - rank(other));
}

/** Tables that call now and did not before. */
export function newlyAwaiting(
  before: readonly OwnTable[] | null,
  now: readonly OwnTable[],
): readonly OwnTable[] {
  if (before === null) return []; // one has just come, and sees them
  const known = new Set(before.filter(awaitsUser).map(({ table }) => table));
  return now.filter((table) => awaitsUser(table) && !known.has(table.table));
}

/** A page's title with how many tables call: `(3) Sanssouci`. */
export function titleWithCount(count: number, title: string): string {
  const bare = title.replace(/^\(\d+\) /, "");
  return count > 0 ? `(${count}) ${bare}` : bare;
}
