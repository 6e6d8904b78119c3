/** One's place in a lesson: a table at which one turn is played, and the answer is a verdict. */
import type { App } from "../../app/appContext.svelte";
import { ApiError } from "../../net/client";
import type { Command, Lesson, LessonResult } from "../../net/types";
import { TableSession } from "../../app/tableSession.svelte";
import { readSolved, tableOf } from "./lessons";
import { EMPTY_LOG, appendUpdate } from "../../game/eventLog";

export class LessonSession extends TableSession {
  lesson = $state.raw<Lesson | null>(null);
  result = $state.raw<LessonResult | null>(null);
  /** Whether the best turn is shown. */
  revealed = $state(false);
  solved = $state.raw<ReadonlySet<string>>(new Set());
  override readonly hasPast = false;
  private answered: string | null = null;

  constructor(app: App, id: string) {
    super(app, id);
    this.solved = readSolved(app.settings.lessons);
  }

  /** Ask for the lesson, or for the same in another language. */
  async open(): Promise<void> {
    await this.app.attempt(async () => {
      const lesson = await this.app.client.lesson(this.table).catch(this.missing);
      if (lesson === null) return;
      if (this.result !== null) await this.judge(this.answered);
      this.display(lesson);
    });
  }

  override leave(): void {
    this.app.settings.removeStaged(this.table);
    super.leave();
  }

  /** A turn is the answer to the lesson; nothing else can be asked here. */
  override send(command: Command): Promise<boolean> {
    return this.app.attempt(async () => {
      if (command.type === "play") await this.judge(command.turn);
      if (this.result?.solved) this.saveSolved();
    });
  }

  /** Show the best turn, to somebody who has answered or does not want to. */
  readonly reveal = (): Promise<boolean> =>
    this.app.attempt(async () => {
      if (this.result === null) await this.judge(null);
      this.revealed = true;
    });

  readonly again = (): void => {
    this.result = null;
    this.revealed = false;
  };

  private async judge(turn: string | null): Promise<void> {
    this.result = await this.app.client.answerLesson(this.table, turn);
    this.answered = turn;
    this.revealed ||= this.result.solved;
  }

  private saveSolved(): void {
    this.solved = new Set([...this.solved, this.table]);
    this.app.settings.saveLessons([...this.solved]);
  }

  private display(lesson: Lesson): void {
    const view = tableOf(lesson, this.app.displayName);
    const before = { ...EMPTY_LOG, seq: view.seq - lesson.told.length };
    this.log = appendUpdate(before, { seq: view.seq, events: lesson.told, view });
    this.view = view;
    this.lesson = lesson;
  }

  /** There may be no such lesson any more. */
  private readonly missing = (error: unknown): null => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    this.notFound = true;
    return null;
  };
}
