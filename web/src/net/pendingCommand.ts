/** A command that was sent, and its outcome. */

import type { Command, Done, Problem, Refused, SocketCommand, TableView, Update } from "./types";

export type CommandOutcome =
  /** Accepted, and the view that shows it has arrived. */
  | { readonly type: "done"; readonly seq: number; readonly repeated: boolean }
  | { readonly type: "refused"; readonly error: Problem; readonly retryAfter: number | null }
  /** The table had moved on, so nothing was done. `update` has the new view. */
  | { readonly type: "stale"; readonly command: Command; readonly update: Update }
  /** Another command is pending, or no view has arrived yet. */
  | { readonly type: "busy" }
  /** The connection was closed for good; the command may or may not have been accepted. */
  | { readonly type: "gone" };

const STALE = "declined.stale";

export class PendingCommand {
  /** Sent again unchanged after a reconnect: the server recognizes the id and does not act twice. */
  readonly text: string;
  private answer: Done | Refused | null = null;

  constructor(
    private readonly command: Command,
    readonly id: string,
    seq: number,
    readonly resolve: (outcome: CommandOutcome) => void,
  ) {
    const message: SocketCommand = { type: "command", command_id: id, expected_seq: seq, command };
    this.text = JSON.stringify(message);
  }

  get isAnswered(): boolean {
    return this.answer !== null;
  }

  /** The update that belongs to a reply may arrive after it; until then the outcome is null. */
  onReply(answer: Done | Refused, seq: number): CommandOutcome | null {
    this.answer = answer;
    if (answer.type === "done") return answer.seq <= seq ? this.done(answer) : null;
    if (answer.error.code === STALE) return null;
    return { type: "refused", error: answer.error, retryAfter: answer.retry_after };
  }

  /** Resolves a reply that waited for its update. */
  onUpdate(update: Update): CommandOutcome | null {
    if (this.answer?.type === "done") return this.answer.seq <= update.seq ? this.done(this.answer) : null;
    return this.answer === null ? null : { type: "stale", command: this.command, update };
  }

  private done({ seq, repeated }: Done): CommandOutcome {
    return { type: "done", seq, repeated };
  }
}

/** Commands that do not depend on what others do, unlike a turn or taking one back. */
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

/** Whether a stale command may be sent again; `before` is the view it was sent on, `now` the current one. */
export function isStillApplicable(command: Command, before: TableView | null, now: TableView): boolean {
  const sameStage = before?.stage === now.stage && before.setup?.phase === now.setup?.phase;
  return sameStage && INDEPENDENT_COMMANDS.has(command.type) && now.you.may.includes(command.type);
}
