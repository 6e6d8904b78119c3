/** The score-keeper at work: the sheet with its way back, what the server says of it, and the boards at hand. */
import type { App } from "../../app/appContext.svelte";
import { ApiError } from "../../net/client";
import type { Boards, Scores } from "../../net/types";
import { toRequest, newSeat, newSheet, readSheet, withSeat, type SeatSheet, type Sheet } from "./scoreSheet";
import { t } from "../../i18n/i18n.svelte";

const MOST_STEPS = 200;
/** Milliseconds of quiet after which the server is asked. */
const QUIET = 200;

export class ScoreSheetModel {
  sheet = $state.raw<Sheet>(newSheet());
  scores = $state.raw<Scores | null>(null);
  /** Why there are no scores; empty if there are. */
  error = $state("");
  /** The set of boards that sides are chosen from; null: everything is entered by hand. */
  boards = $state.raw<Boards | null>(null);
  private past = $state.raw<readonly Sheet[]>([]);
  /** What was typed into last. */
  private field = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly app: App) {
    this.sheet = readSheet(app.settings.sheet) ?? newSheet(app.preferences.lastGame.edition);
    void this.count();
  }

  /** What a seat is called. */
  seatName(seat: number): string {
    return this.sheet.seats[seat]?.name.trim() || t("keeper.seat", { number: seat + 1 });
  }

  get undoable(): boolean {
    return this.past.length > 0;
  }

  /** What is typed into one field, letter by letter, is one step. */
  change(sheet: Sheet, field = ""): void {
    if (field === "" || field !== this.field) this.past = [...this.past, this.sheet].slice(-MOST_STEPS);
    this.field = field;
    this.set(sheet);
  }

  changeSeat(seat: number, changed: SeatSheet, field = ""): void {
    this.change(withSeat(this.sheet, seat, changed), field && `${field} ${seat}`);
  }

  undo(): void {
    const before = this.past.at(-1);
    if (before === undefined) return;
    this.past = this.past.slice(0, -1);
    this.field = "";
    this.set(before);
  }

  /** An empty sheet for the same people; nothing stays in the browser, but it can still be undone. */
  clear(): void {
    const seats = this.sheet.seats.map(({ name }) => newSeat(name));
    this.change({ ...this.sheet, seats });
    this.app.settings.removeSheet();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private set(sheet: Sheet): void {
    this.sheet = sheet;
    this.app.settings.saveSheet(sheet);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.count(), QUIET);
  }

  /** Ask what the sheet comes to; an answer about an older one is not looked at. */
  async count(): Promise<void> {
    const sheet = this.sheet;
    try {
      const scores = await this.app.client.scores(toRequest(sheet));
      if (this.sheet === sheet) [this.scores, this.error] = [scores, ""];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.sheet === sheet) this.error = error.problem.sentence;
    }
  }
}
