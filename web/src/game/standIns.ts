/** Stand-ins: computer players for people who are away, until they return. */
import type { ChairView, OwnTable, TableView } from "../net/types";
import type { LogEntry } from "./eventLog";

/** Which of these chairs have a stand-in. */
export function chairsWithStandIn(
  { chairs, stage }: Pick<TableView, "chairs" | "stage">,
  own: readonly number[],
): readonly ChairView[] {
  return stage === "over" ? [] : chairs.filter(({ chair, away }) => away && own.includes(chair));
}

/** Whether the table waits for the person on a chair, not for a stand-in, nor for the program to reveal a nonce. */
export function isAwaited(
  { chairs, waiting, shuffling }: Pick<TableView, "chairs" | "waiting" | "shuffling">,
  chair: number,
): boolean {
  return waiting.includes(chair) && !shuffling && !chairs[chair]?.away;
}

/** Whether a stand-in plays on one of the user's chairs. */
export function hasStandIn({
  chairs,
  stage,
  your_chairs,
}: Pick<OwnTable, "chairs" | "stage" | "your_chairs">): boolean {
  return stage !== "over" && your_chairs.some((chair) => chairs[chair]?.away);
}

/** The chair that a log entry is about: after a time-out or a vote, the one that was too slow. */
export function subjectChair(entry: LogEntry): number | null {
  if (entry.kind === "time_out") return entry.target;
  return beginsStandIn(entry) ? entry.target : entry.chair;
}

/** Whether a vote put a stand-in on a chair. */
export function beginsStandIn(entry: LogEntry): entry is Extract<LogEntry, { kind: "vote" }> {
  return entry.kind === "vote" && entry.carried;
}
