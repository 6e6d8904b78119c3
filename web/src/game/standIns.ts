/** Stand-ins: computers that play for people who are away, until these take their seat back. */
import type { ChairView, OwnTable, TableView } from "../net/types";
import type { LogEntry } from "./eventLog";

/** The chairs among these on which a stand-in plays. */
export function chairsWithStandIn(
  { chairs, stage }: Pick<TableView, "chairs" | "stage">,
  own: readonly number[],
): readonly ChairView[] {
  return stage === "over" ? [] : chairs.filter(({ chair, away }) => away && own.includes(chair));
}

/** Whether the table waits for the person on a chair, and for no stand-in. */
export function isAwaited(
  { chairs, waiting }: Pick<TableView, "chairs" | "waiting">,
  chair: number,
): boolean {
  return waiting.includes(chair) && !chairs[chair]?.away;
}

/** Whether a stand-in plays on a chair that is one's own, as a list has it. */
export function hasStandIn({
  chairs,
  stage,
  your_chairs,
}: Pick<OwnTable, "chairs" | "stage" | "your_chairs">): boolean {
  return stage !== "over" && your_chairs.some((chair) => chairs[chair]?.away);
}

/** Of whom a line of the log tells, as a chair: not of the house that stops a clock, but of whose it was. */
export function subjectChair(entry: LogEntry): number | null {
  if (entry.kind === "time_out") return entry.target;
  return beginsStandIn(entry) ? entry.target : entry.chair;
}

/** Whether others have agreed that a stand-in plays. */
export function beginsStandIn(entry: LogEntry): entry is Extract<LogEntry, { kind: "vote" }> {
  return entry.kind === "vote" && entry.carried;
}
