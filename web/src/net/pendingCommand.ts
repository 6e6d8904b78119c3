/** A command that was given and what became of it. */

import type { Command, Done, Problem, Refused, SocketCommand, TableView, Update } from "./types";

export type CommandOutcome =
  /** Carried out, and the view that shows it has come. */
  | { readonly type: "done"; readonly seq: number; readonly repeated: boolean }
  | { readonly type: "refused"; readonly error: Problem; readonly retryAfter: number | null }
  /** The table had moved on; nothing has happened. Here is the new view: does one still want it? */
  | { readonly type: "stale"; readonly command: Command; readonly update: Update }
  /** Another command waits for its answer, or no view has come yet. */
  | { readonly type: "busy" }
  /** The connection was closed for good; whether it was carried out is not known. */
  | { readonly type: "gone" };

const STALE = "declined.stale";

export class PendingCommand {
  /** Said again word for word if the connection is lost. */
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

  /** An answer has come. What it tells of may come later: the update after `done`, the view after a stale command. */
  onReply(answer: Done | Refused, seq: number): CommandOutcome | null {
    this.answer = answer;
    if (answer.type === "done") return answer.seq <= seq ? this.done(answer) : null;
    if (answer.error.code === STALE) return null;
    return { type: "refused", error: answer.error, retryAfter: answer.retry_after };
  }

  /** An update has come, perhaps the one that was waited for. */
  onUpdate(update: Update): CommandOutcome | null {
    if (this.answer?.type === "done") return this.answer.seq <= update.seq ? this.done(this.answer) : null;
    return this.answer === null ? null : { type: "stale", command: this.command, update };
  }

  private done({ seq, repeated }: Done): CommandOutcome {
    return { type: "done", seq, repeated };
  }
}

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
