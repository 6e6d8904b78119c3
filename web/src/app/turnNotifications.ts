/** Tables that await the user: it is their turn, or everybody else is ready. */
import type { OwnTable } from "../net/types";

type AwaitingTable = Pick<OwnTable, "stage" | "your_turn">;

export function awaitsUser({ stage, your_turn }: AwaitingTable): boolean {
  return your_turn && stage !== "over";
}

/** Tables that await the user first, turns before lobbies; otherwise in the order of the server. */
export function awaitingFirst<Table extends AwaitingTable>(tables: readonly Table[]): readonly Table[] {
  const rank = (table: Table) => (awaitsUser(table) ? (table.stage === "lobby" ? 1 : 0) : 2);
  return [...tables].sort((one, other) => rank(one) - rank(other));
}

/** Tables that await the user now and did not before; none on the first load (`before` is null). */
export function newlyAwaiting(
  before: readonly OwnTable[] | null,
  now: readonly OwnTable[],
): readonly OwnTable[] {
  if (before === null) return [];
  const known = new Set(before.filter(awaitsUser).map(({ table }) => table));
  return now.filter((table) => awaitsUser(table) && !known.has(table.table));
}

/** A page title with the number of tables that await the user: `(3) Sanssouci`. */
export function titleWithCount(count: number, title: string): string {
  const bare = title.replace(/^\(\d+\) /, "");
  return count > 0 ? `(${count}) ${bare}` : bare;
}

/** Show a notification of the system if that is allowed; returns false if the browser cannot. */
export function showNotification(title: string, options: NotificationOptions): boolean {
  if (!("Notification" in window) || Notification.permission !== "granted") return true;
  try {
    const notification = new Notification(title, options);
    notification.onclick = () => (focus(), notification.close());
    return true;
  } catch {
    return false; // Chrome on Android has Notification, but its constructor throws
  }
}
