/** The state of the score sheet screen: the sheet with its history, the scores from the server, and the chosen boards. */
import type { App } from "../../app/appContext.svelte";
import { ApiError } from "../../net/client";
import type { Boards, Scores } from "../../net/types";
import { toRequest, newSeat, newSheet, readSheet, withSeat, type SeatSheet, type Sheet } from "./scoreSheet";
import { t } from "../../i18n/i18n.svelte";

const MOST_STEPS = 200;
/** Milliseconds without a change after which the sheet is sent to the server. */
const DEBOUNCE = 200;

export class ScoreSheetModel {
  sheet = $state.raw<Sheet>(newSheet());
  scores = $state.raw<Scores | null>(null);
  /** The sheet that the scores are about; an older one until the server has answered. */
  scored = $state.raw<Sheet | null>(null);
  /** Why there are no scores; empty if there are. */
  error = $state("");
  /** The set of boards that sides are chosen from; null: everything is entered by hand. */
  boards = $state.raw<Boards | null>(null);
  private past = $state.raw<readonly Sheet[]>([]);
  /** The field that was changed last. */
  private field = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly app: App) {
    this.sheet = readSheet(app.settings.sheet.value) ?? newSheet(app.preferences.lastGame.edition);
  }

  seatName(seat: number): string {
    return this.sheet.seats[seat]?.name.trim() || t("sheet.seat", { number: seat + 1 });
  }

  get undoable(): boolean {
    return this.past.length > 0;
  }

  /** Change the sheet. Successive changes of one field are one step for undo. */
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

  /** Start an empty sheet with the same names. It is removed from storage, but can still be undone. */
  clear(): void {
    const seats = this.sheet.seats.map(({ name }) => newSeat(name));
    this.change({ ...this.sheet, seats });
    this.app.settings.sheet.remove();
  }

  end(): void {
    clearTimeout(this.timer);
  }

  private set(sheet: Sheet): void {
    this.sheet = sheet;
    this.app.settings.sheet.save(sheet);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.count(), DEBOUNCE);
  }

  /** Request the scores; a reply for an older sheet is ignored. */
  async count(): Promise<void> {
    const sheet = this.sheet;
    try {
      const scores = await this.app.client.scores(toRequest(sheet));
      if (this.sheet === sheet) [this.scores, this.scored, this.error] = [scores, sheet, ""];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.sheet === sheet) this.error = error.problem.sentence;
    }
  }
}
