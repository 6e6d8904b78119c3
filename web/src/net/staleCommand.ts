/** Whether a command that came too late still means what it meant: a pick does when somebody else has just picked. */
import type { Command, TableView } from "./types";

/** What stands on nothing that others do; a turn, or taking one back, does. */
const INDEPENDENT_COMMANDS: ReadonlySet<Command["type"]> = new Set([
  "ready",
  "unready",
  "rise",
  "wear",
  "pick",
  "step_away",
  "return",
  "concede",
  "abandon",
  "rematch",
]);

/** `before` is the view in which it was given, `now` the one that it came too late for. */
export function isStillApplicable(command: Command, before: TableView | null, now: TableView): boolean {
  const sameStage = before?.stage === now.stage && before.setup?.phase === now.setup?.phase;
  return sameStage && INDEPENDENT_COMMANDS.has(command.type) && now.you.may.includes(command.type);
}
