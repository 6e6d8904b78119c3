/** One's place in a lesson: a table at which one turn is played, and the answer is a verdict. */
import type { App } from "../../app/appContext.svelte";
import { Trouble } from "../../net/client";
import type { Command, Lesson, Verdict } from "../../net/types";
import { Place } from "../../app/tableSession.svelte";
import { readSolved, tableOf } from "./lessons";
import { BLANK, tell } from "../../game/eventLog";

export class LessonPlace extends Place {
  lesson = $state.raw<Lesson | null>(null);
  verdict = $state.raw<Verdict | null>(null);
  /** Whether the best turn is shown. */
  shown = $state(false);
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
      if (this.verdict !== null) await this.hear(this.answered);
      this.display(lesson);
    });
  }

  override leave(): void {
    this.app.settings.dropStaged(this.table);
    super.leave();
  }

  /** A turn is the answer to the lesson; nothing else can be asked here. */
  override give(command: Command): Promise<boolean> {
    return this.app.attempt(async () => {
      if (command.type === "play") await this.hear(command.turn);
      if (this.verdict?.solved) this.keep();
    });
  }

  /** Show the best turn, to somebody who has answered or does not want to. */
  readonly reveal = (): Promise<boolean> =>
    this.app.attempt(async () => {
      if (this.verdict === null) await this.hear(null);
      this.shown = true;
    });

  readonly again = (): void => {
    this.verdict = null;
    this.shown = false;
  };

  private async hear(turn: string | null): Promise<void> {
    this.verdict = await this.app.client.answerLesson(this.table, turn);
    this.answered = turn;
    this.shown ||= this.verdict.solved;
  }

  private keep(): void {
    this.solved = new Set([...this.solved, this.table]);
    this.app.settings.keepLessons([...this.solved]);
  }

  private display(lesson: Lesson): void {
    const view = tableOf(lesson, this.app.called);
    const before = { ...BLANK, seq: view.seq - lesson.told.length };
    this.chronicle = tell(before, { seq: view.seq, events: lesson.told, view });
    this.view = view;
    this.lesson = lesson;
  }

  /** There may be no such lesson any more. */
  private readonly missing = (trouble: unknown): null => {
    if (!(trouble instanceof Trouble && trouble.status === 404)) throw trouble;
    this.lost = true;
    return null;
  };
}
