/** Presence: who has the table open, and when a person who keeps the others waiting can be nudged. */
import type { TableView } from "../net/types";
import { isAwaited } from "./standIns";

/** Seconds for which a person must be awaited before a nudge, and between two nudges; the server has the same limits. */
export const NUDGE_DELAY = 20;
export const NUDGE_INTERVAL = 30;

/** The chairs of people who have the table open; null if unknown. */
export type Here = ReadonlySet<number> | null;

/** Whether the person on a chair is known not to have the table open. A stand-in is shown as such instead. */
export function isAbsent({ chairs }: Pick<TableView, "chairs">, here: Here, chair: number): boolean {
  const { sitter, away, conceded } = chairs[chair] ?? {};
  return sitter === "person" && !away && !conceded && here !== null && !here.has(chair);
}

/** The chairs of other people that the table waits for. */
export function awaitedOthers(
  view: Pick<TableView, "chairs" | "waiting" | "shuffling">,
  own: readonly number[],
): readonly number[] {
  return view.waiting.filter(
    (chair) => isAwaited(view, chair) && view.chairs[chair]?.sitter === "person" && !own.includes(chair),
  );
}
