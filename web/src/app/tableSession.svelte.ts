/**
 * One's place at a table: what is seen from there, kept fresh, and the commands that are given from there.
 *
 * Where several people sit at this screen there is a connection for each of their chairs; the table is seen from the
 * chair that is awaited. Turns of others are shown one after the other, so the view may be a little behind.
 */
import { SvelteMap } from "svelte/reactivity";

import type { App } from "./appContext.svelte";
import { drawNonce } from "../net/randomIds";
import type { ChairView, Command, Score, TableView, Update } from "../net/types";
import { browserWorld } from "../net/browserTransport";
import type { Names } from "../i18n/editionNames.svelte";
import { say } from "../i18n/i18n.svelte";
import { isAmong } from "../game/gameResult";
import { Live, type LiveState, type Outcome } from "../net/tableSocket";
import { isStillMeant } from "../net/staleCommand";
import { lookedAt, momentsOf, PACES, type Moment } from "../game/animation";
import { Performance } from "../game/sequencer";
import type { Speed } from "./settings";
import { isAwaited } from "../game/standIns";
import { shownAgain, shownTurn, type ShownTurn } from "../game/animatedTurn";
import { BLANK, tell, type Chronicle, type TurnTelling } from "../game/eventLog";
import { gardenOf } from "../game/garden";
import { Past } from "../screens/game/pastGame.svelte";
import { positionOf } from "../game/logPosition";

type Chair = number | null;

/** What the system says about motion. */
const stillness = matchMedia("(prefers-reduced-motion: reduce)");
/** Milliseconds for which a turn is looked at again where nothing moves. */
const LOOK = 900;

export class Place {
  view = $state.raw<TableView | null>(null);
  /** All that has happened, as far as it was told. */
  chronicle = $state.raw<Chronicle>(BLANK);
  /** The turn that was shown last. */
  lastTurn = $state.raw<ShownTurn | null>(null);
  /** What moves now, and how its garden looks meanwhile. */
  moment = $state.raw<Moment | null>(null);
  /** The scores before the turn that is being shown. */
  scoresBefore = $state.raw<readonly Score[]>([]);
  /** Whether turns are still being shown. */
  showing = $state(false);
  /** Whether turns are being shown once more. */
  replaying = $state(false);
  /** Whether the screen goes to somebody else now: nothing is shown until they ask. */
  covered = $state(false);
  /** What was, if one looks back at it; the game goes on meanwhile. */
  past = $state.raw<Past | null>(null);
  /** Whether the game has come to its end while one was here. */
  ended = $state(false);
  /** Whether there is no such table, or it is none of one's business. */
  lost = $state(false);
  /** The own chairs: more than one where several people sit at this screen. */
  chairs = $state.raw<readonly number[]>([]);
  /** Whether one can look back along the turns. */
  readonly hasPast: boolean = true;
  private states = new SvelteMap<Chair, LiveState>();
  private readonly lines = new Map<Chair, Live>();
  private readonly latest = new Map<Chair, TableView>();
  private readonly queue: Update[] = [];
  private readonly performance = new Performance<Moment>(waitFor, (moment) => (this.moment = moment));
  private chair: Chair = null;
  /** Counts the wishes to be shown something, so that an old one ends. */
  private wish = 0;
  private hurried = false;

  constructor(
    readonly app: App,
    readonly table: string,
    /** The secret of the link by which one has come. */
    readonly secret?: string,
  ) {}

  /** Find out which chairs are one's own, and open a connection for each. */
  async enter(): Promise<void> {
    if (this.app.name !== null && this.secret === undefined) await this.findChairs();
    this.chair = this.chairs[0] ?? null;
    for (const chair of this.chairs.length > 0 ? this.chairs : [null]) this.connect(chair);
    addEventListener("online", this.nudge);
    document.addEventListener("visibilitychange", this.nudge);
  }

  leave(): void {
    removeEventListener("online", this.nudge);
    document.removeEventListener("visibilitychange", this.nudge);
    for (const line of this.lines.values()) line.close();
    this.lines.clear();
    this.skip();
  }

  /** Whether the connection is lost; what is staged stays. */
  get broken(): boolean {
    return this.states.get(this.chair)?.at === "lost";
  }

  /** Whether the server has not answered for a while. */
  get silent(): boolean {
    const state = this.states.get(this.chair);
    return state?.at === "live" && state.silent;
  }

  /** Why coming back does not help, if so. */
  get refused(): string | null {
    const state = this.states.get(this.chair);
    return state?.at === "refused" ? state.reason : null;
  }

  /** Give a command; every no is shown. Says whether it was carried out. */
  async give(command: Command, chair: Chair = this.chair): Promise<boolean> {
    const outcome = await this.ask(command, chair);
    if (outcome.type === "refused") this.app.object(outcome.error);
    if (outcome.type === "stale") this.app.tell(say("trouble.stale"));
    return outcome.type === "done";
  }

  /** Give a command, and hear what became of it; one that others cannot outdate is given until it is heard. */
  async ask(command: Command, chair: Chair = this.chair): Promise<Outcome> {
    const before = this.latest.get(chair) ?? null;
    for (;;) {
      const outcome = (await this.lines.get(chair)?.give(command)) ?? { type: "gone" };
      if (outcome.type !== "stale" || !isStillMeant(command, before, outcome.update.view)) return outcome;
    }
  }

  /** All own people who are not ready yet are. */
  async beReady(): Promise<void> {
    for (const chair of this.chairs) {
      if (this.latest.get(chair)?.chairs[chair]?.ready) continue;
      if (!(await this.give({ type: "ready", nonce: drawNonce() }, chair))) return;
    }
  }

  /** Play again at another table; where nobody is to come there, everyone is ready at once. */
  async rematch(): Promise<void> {
    if (!(await this.give({ type: "rematch" }))) return;
    const { view, chairs, app } = this;
    const table = this.latest.get(this.chair)?.rematch;
    if (view === null || !table) return;
    if (chairs.length > 0 && isAmong(chairs, view)) await app.attempt(() => app.beReady(table, chairs));
    app.go(`/table/${table}`);
  }

  may(type: Command["type"]): boolean {
    return this.view?.you.may.includes(type) ?? false;
  }

  /** What everything is called in this table's edition. */
  get names(): Names {
    return this.app.namesOf(this.view?.terms.edition ?? "ravensburger");
  }

  /** The chairs by their seats, once the game has begun. */
  get bySeat(): readonly ChairView[] {
    return [...(this.view?.chairs ?? [])]
      .filter(({ seat }) => seat !== null)
      .sort((one, other) => one.seat! - other.seat!);
  }

  /** How fast things move; they do not where the system asks for less motion, or nobody looks. */
  get speed(): Speed {
    return stillness.matches || document.hidden ? "none" : this.app.motion;
  }

  /** Show at once all that waits to be shown. */
  skip(): void {
    this.wish += 1;
    this.hurried = this.showing;
    this.performance.finish();
  }

  /** Show turns once more, one after the other; done when they were seen, or something else is wanted. */
  async replay(turns: readonly TurnTelling[]): Promise<void> {
    if (this.showing) return;
    this.wish += 1;
    const { wish } = this;
    this.replaying = true;
    for (const telling of turns) {
      const garden = this.view?.game?.gardens[telling.seat ?? -1];
      if (garden === undefined || wish !== this.wish) break;
      const turn = shownAgain(this.chronicle.tellings, telling, gardenOf(garden));
      this.lastTurn = turn;
      const pace = PACES[this.speed];
      await this.performance.perform(pace > 0 ? momentsOf(turn, pace) : [lookedAt(turn, LOOK)]);
    }
    if (wish === this.wish) this.replaying = false;
  }

  /** Look back: at the position after the turn of an event, else at the last one before now. */
  lookBack(seq?: number): void {
    const last = this.view?.game?.turn ?? 0;
    const turn = seq === undefined ? last - 1 : positionOf(this.chronicle.tellings, seq, last);
    if (turn === null || last === 0 || !this.hasPast) return;
    this.skip();
    const { chair } = this;
    const ask = async (at: number) => (await this.app.client.past(this.table, at, chair, this.secret)).game;
    this.past = new Past(this, ask, turn);
  }

  private readonly nudge = () => {
    for (const line of this.lines.values()) line.nudge();
  };

  private connect(chair: Chair): void {
    const world = browserWorld(this.app.client, this.table, chair, this.secret);
    const line = new Live(world, {
      state: (state) => this.became(chair, state),
      update: (update) => this.heard(chair, update),
    });
    this.lines.set(chair, line);
    line.open();
  }

  private became(chair: Chair, state: LiveState): void {
    this.states.set(chair, state);
    if (state.at === "refused" && state.reason === "unknown_table") this.lost = true;
  }

  private heard(chair: Chair, update: Update): void {
    this.latest.set(chair, update.view);
    if (chair === this.chair) {
      this.queue.push(update);
      void this.showAll();
    } else {
      this.turn();
    }
  }

  /** One update after the other, each as long as its turn moves. */
  private async showAll(): Promise<void> {
    if (this.showing) return;
    this.stopReplay();
    this.showing = true;
    for (let update = this.queue.shift(); update !== undefined; update = this.queue.shift()) {
      const moments = this.show(update);
      if (moments.length > 0 && !this.hurried) await this.performance.perform(moments);
    }
    this.showing = this.hurried = false;
    this.turn();
  }

  private stopReplay(): void {
    this.wish += 1;
    this.replaying = false;
    this.performance.finish();
  }

  /** Take an update over; the answer is what moves. */
  private show(update: Update): readonly Moment[] {
    const turn = shownTurn(update.events, this.view);
    this.scoresBefore = this.view?.game?.scores ?? [];
    if (turn !== null) this.lastTurn = turn;
    this.chronicle = tell(this.chronicle, update);
    if (this.view?.stage === "playing" && update.view.stage === "over") this.ended = true;
    this.view = update.view;
    if (turn === null) return [];
    const own = !turn.house && this.chairs.some((chair) => update.view.chairs[chair]?.seat === turn.seat);
    return momentsOf(turn, PACES[this.speed], own);
  }

  /** Where several people sit at this screen, see the table from the chair that is awaited. */
  private turn(): void {
    const { view } = this;
    if (view === null || this.showing || isAwaited(view, this.chair ?? -1)) return;
    const awaited = this.chairs.find((chair) => isAwaited(view, chair));
    const seen = awaited === undefined ? undefined : this.latest.get(awaited);
    if (awaited === undefined || seen === undefined || seen.seq < view.seq) return;
    this.covered = true;
    this.past = null; // it was seen with other eyes
    this.chair = awaited;
    this.view = seen;
  }

  private async findChairs(): Promise<void> {
    await this.app.attempt(async () => {
      const found = (await this.app.client.myTables()).find((table) => table.table === this.table);
      this.chairs = found?.your_chairs ?? [];
    });
  }
}

function waitFor(milliseconds: number, act: () => void): () => void {
  const timer = setTimeout(act, milliseconds);
  return () => clearTimeout(timer);
}
