/** A lesson: one turn is played from a recorded position, and the server judges it. */
import type { App } from "../../app/appContext.svelte";
import { GameSession } from "../../app/gameSession.svelte";
import { EMPTY_LOG, appendUpdate } from "../../game/eventLog";
import type { SeatedPlayer } from "../../game/seats";
import type { TurnView } from "../../game/staging";
import type { EditionNames } from "../../i18n/editionNames.svelte";
import { ApiError } from "../../net/client";
import type { Edition, Hint, Lesson, LessonEntry, LessonResult } from "../../net/types";
import { readSolved } from "./lessons";

export class LessonSession extends GameSession {
  lesson = $state.raw<Lesson | null>(null);
  result = $state.raw<LessonResult | null>(null);
  /** Whether the best turn is shown. */
  revealed = $state(false);
  solved = $state.raw<ReadonlySet<string>>(new Set());
  notFound = $state(false);
  readonly awaited = true;
  readonly standInPlays = false;
  /** The lesson shows its solution itself. */
  readonly hintsAllowed = false;
  /** The reader's edition. */
  private readonly edition: Edition;
  private answer: string | null = null;

  constructor(app: App, id: string) {
    super(app, id);
    this.solved = readSolved(app.settings.lessons.value);
    this.edition = app.preferences.lastGame.edition;
  }

  readonly view = $derived.by<TurnView | null>(() => {
    if (this.lesson === null) return null;
    const { game, options } = this.lesson;
    return { table: this.table, game, options, you: { seat: game.seat, chair: game.seat } };
  });

  readonly chairsBySeat = $derived.by<readonly SeatedPlayer[]>(() =>
    (this.lesson?.names ?? []).map((name, seat) => ({
      chair: seat,
      seat,
      name: seat === this.lesson?.game.seat ? this.app.displayName : name,
      player: null,
      away: false,
      conceded: false,
    })),
  );

  get names(): EditionNames {
    return this.app.namesOf(this.lesson?.edition ?? "ravensburger");
  }

  /** Load the lesson, or load it again in another language. */
  async open(): Promise<void> {
    const lesson = await this.app.client.lesson(this.table, this.edition).catch(this.missing);
    if (lesson === null) return;
    if (this.result !== null) await this.judge(this.answer);
    this.show(lesson);
  }

  lessons(): Promise<readonly LessonEntry[]> {
    return this.app.client.lessons(this.edition);
  }

  leave(): void {
    this.app.settings.forgetTable(this.table);
    this.skipAnimation();
  }

  playTurn(turn: string): Promise<boolean> {
    return this.app.attempt(async () => {
      await this.judge(turn);
      if (this.result?.solved) this.saveSolved();
    });
  }

  requestHint(): Promise<Hint> {
    throw new Error("a lesson has no hints");
  }

  /** Show the best turn, with or without an answer. */
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
    this.result = await this.app.client.answerLesson(this.table, this.edition, turn);
    this.answer = turn;
    this.revealed ||= this.result.solved;
  }

  private saveSolved(): void {
    this.solved = new Set([...this.solved, this.table]);
    this.app.settings.lessons.save([...this.solved]);
  }

  private show(lesson: Lesson): void {
    const { game, events, names } = lesson;
    const chairs = names.map((_, seat) => ({
      seat,
      sitter: seat === game.seat ? ("person" as const) : ("computer" as const),
    }));
    const before = { ...EMPTY_LOG, seq: game.turn - events.length };
    this.log = appendUpdate(before, { seq: game.turn, events, view: { chairs, game, origin: null } });
    this.lesson = lesson;
  }

  /** A lesson of an old link may be gone. */
  private readonly missing = (error: unknown): null => {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    this.notFound = true;
    return null;
  };
}
