/**
 * The viewer's session at a table: the current view, and the commands that can be sent.
 *
 * When several people share this screen, each of their chairs has a connection of its own, and the table is seen from
 * the chair whose turn it is. Updates are animated one after the other, so `view` may lag behind the server.
 */
import { SvelteMap } from "svelte/reactivity";

import type { App } from "./appContext.svelte";
import type { ChairView, Command, Hint, TableView, Update } from "../net/types";
import type { EditionNames } from "../i18n/editionNames.svelte";
import { t } from "../i18n/i18n.svelte";
import { noOtherPeople } from "../game/gameResult";
import {
  browserTransport,
  isStillApplicable,
  TableSocket,
  type CommandOutcome,
  type SocketState,
} from "../net/tableSocket";
import { animationSteps, TURN_DURATIONS, animatedTurn, type AnimationStep } from "../game/animation";
import { isAbsent, NUDGE_INTERVAL, type Here } from "../game/presence";
import { chairsWithStandIn, isAwaited } from "../game/standIns";
import { appendUpdate, positionOf } from "../game/eventLog";
import { GameSession } from "./gameSession.svelte";
import { PastGame } from "../screens/game/pastGame.svelte";
import { whenPainted } from "./whenPainted";

type Chair = number | null;

export class TableSession extends GameSession {
  view = $state.raw<TableView | null>(null);
  /** Whether the device is being passed on: nothing is shown until the next player asks. */
  awaitingHandover = $state(false);
  /** The past position that is looked at, if any; the game goes on meanwhile. */
  past = $state.raw<PastGame | null>(null);
  /** Whether the game ended while the viewer was here. */
  endedHere = $state(false);
  /** Whether the table does not exist, or the viewer may not see it. */
  notFound = $state(false);
  /** The viewer's chairs; several if people share this screen. */
  ownChairs = $state.raw<readonly number[]>([]);
  /** The people who have the table open. */
  here = $state.raw<Here>(null);
  /** Whether somebody has asked the viewer to play. */
  nudged = $state(false);
  /** The chairs that somebody nudged a short while ago. */
  readonly nudgedChairs = new SvelteMap<number, true>();
  /** The chair that was nudged from here, until the server answers. */
  private nudging: number | null = null;
  private states = new SvelteMap<Chair, SocketState>();
  private readonly sockets = new Map<Chair, TableSocket>();
  private readonly latest = new Map<Chair, TableView>();
  private readonly queue: Update[] = [];
  private chair: Chair = null;
  private dealBroken = false;
  private pickedFirstSide = false;
  /** Settles when the click that sent a turn has been answered on the screen. */
  private clickPainted: Promise<void> | null = null;

  constructor(
    app: App,
    table: string,
    /** The secret of the link that led here. */
    readonly secret?: string,
  ) {
    super(app, table);
  }

  /** Find the viewer's chairs and open a connection for each. */
  async enter(): Promise<void> {
    if (this.app.name !== null && this.secret === undefined) await this.findChairs();
    if (this.sockets.size > 0) return; // entered already
    this.chair = this.ownChairs[0] ?? null;
    for (const chair of this.ownChairs.length > 0 ? this.ownChairs : [null]) this.connect(chair);
    addEventListener("online", this.reconnectNow);
    document.addEventListener("visibilitychange", this.reconnectNow);
  }

  leave(): void {
    removeEventListener("online", this.reconnectNow);
    document.removeEventListener("visibilitychange", this.reconnectNow);
    for (const socket of this.sockets.values()) socket.close();
    this.sockets.clear();
    this.skipAnimation();
  }

  /** Whether the person on a chair does not have the table open; false if unknown. */
  isAbsent(chair: number): boolean {
    return this.view !== null && !this.ownChairs.includes(chair) && isAbsent(this.view, this.here, chair);
  }

  nudge(chair: number): void {
    this.nudging = chair;
    this.markNudged(chair);
    this.sockets.get(this.chair)?.nudge(chair);
  }

  /** Whether the connection is lost. The staged turn is kept. */
  get disconnected(): boolean {
    return this.states.get(this.chair)?.at === "lost";
  }

  /** Whether the server has not answered for a while. */
  get unresponsive(): boolean {
    const state = this.states.get(this.chair);
    return state?.at === "live" && state.silent;
  }

  /** Why reconnecting would not help, if so. */
  get refusal(): string | null {
    const state = this.states.get(this.chair);
    return state?.at === "refused" ? state.reason : null;
  }

  /** Send a command and show its error, if any; returns whether it was accepted. */
  async send(command: Command, chair: Chair = this.chair): Promise<boolean> {
    const outcome = await this.request(command, chair);
    if (outcome.type === "refused") this.app.showError(outcome.error);
    if (outcome.type === "stale") this.app.showMessage(t("connection.stale"));
    return outcome.type === "done";
  }

  /** Send a command. One that does not depend on others' actions is sent again if it was stale. */
  async request(command: Command, chair: Chair = this.chair): Promise<CommandOutcome> {
    const before = this.latest.get(chair) ?? null;
    for (;;) {
      const outcome = (await this.sockets.get(chair)?.send(command)) ?? { type: "gone" };
      if (outcome.type !== "stale" || !isStillApplicable(command, before, outcome.update.view))
        return outcome;
    }
  }

  /** Mark all people at this screen as ready. */
  async setReady(): Promise<void> {
    for (const chair of this.ownChairs) {
      const view = this.latest.get(chair);
      if (view === undefined || view.chairs[chair]?.ready) continue;
      const command = this.app.readyCommand(view, chair);
      if (command === null || !(await this.send(command, chair))) return;
    }
  }

  /** Reveal the nonce of a chair, now that everyone is committed. If that fails, the next update tries again. */
  private async reveal(chair: Chair, view: TableView): Promise<void> {
    const nonce = this.app.nonceToReveal(view, view.you.chair);
    if (nonce === null) return;
    const outcome = await this.request({ type: "reveal", nonce }, chair);
    if (outcome.type === "refused" && outcome.error.code !== "declined.revealed_already")
      this.app.showError(outcome.error);
  }

  /** Start a rematch; without other people, everyone is ready at once. */
  async rematch(): Promise<void> {
    if (!(await this.send({ type: "rematch" }))) return;
    const { view, ownChairs: chairs, app } = this;
    const table = this.latest.get(this.chair)?.rematch;
    if (view === null || !table) return;
    app.noteNewTable(table);
    if (chairs.length > 0 && noOtherPeople(chairs, view))
      await app.attempt(() => app.setReady(table, chairs));
    app.navigate(`/table/${table}`);
  }

  may(type: Command["type"]): boolean {
    return this.view?.you.may.includes(type) ?? false;
  }

  get names(): EditionNames {
    return this.app.namesOf(this.view?.terms.edition ?? "ravensburger");
  }

  /** The chairs in seat order; empty before seats are drawn. */
  get chairsBySeat(): readonly ChairView[] {
    return [...(this.view?.chairs ?? [])]
      .filter(({ seat }) => seat !== null)
      .sort((one, other) => one.seat! - other.seat!);
  }

  get awaited(): boolean {
    return this.view !== null && isAwaited(this.view, this.view.you.chair ?? -1);
  }

  get standInPlays(): boolean {
    return this.view !== null && chairsWithStandIn(this.view, [this.view.you.chair ?? -1]).length > 0;
  }

  get hintsAllowed(): boolean {
    return this.view?.terms.hints ?? false;
  }

  requestHint(): Promise<Hint> {
    return this.app.client.hint(this.table, this.view?.you.chair ?? null, this.secret);
  }

  /** Play a turn. However fast the server is, the click is answered before the new position is drawn. */
  async playTurn(turn: string): Promise<boolean> {
    const painted = (this.clickPainted = whenPainted());
    const played = await this.send({ type: "play", turn });
    await painted;
    return played;
  }

  /** Look back at the position after the turn of an event, or at the previous one. */
  lookBack(seq?: number): void {
    const last = this.view?.game?.turn ?? 0;
    const turn = seq === undefined ? last - 1 : positionOf(this.log.entries, seq, last);
    if (turn === null || last === 0) return;
    this.skipAnimation();
    const { chair } = this;
    const ask = async (at: number) =>
      (await this.app.client.pastPosition(this.table, at, chair, this.secret)).game;
    this.past = new PastGame(this, ask, turn);
  }

  /** Whether the side of the garden is picked for the user, whose first game this is. */
  get picksFirstSide(): boolean {
    return this.app.firstGame === this.table && this.view?.setup?.phase === "garden_sides";
  }

  /** Newcomers cannot judge the sides of a garden yet. If the server refuses, they pick one themselves. */
  private async pickFirstSide(chair: Chair): Promise<void> {
    this.pickedFirstSide = true;
    if (await this.send({ type: "pick", side: 0 }, chair)) this.app.showMessage(t("picking.first_game"));
    else this.app.firstGame = null;
  }

  private readonly reconnectNow = () => {
    for (const socket of this.sockets.values()) socket.reconnectNow();
  };

  private connect(chair: Chair): void {
    const transport = browserTransport(this.app.client, this.table, chair, this.secret);
    const socket = new TableSocket(transport, {
      state: (state) => this.onState(chair, state),
      update: (update) => this.onUpdate(chair, update),
      presence: (here) => (this.here = new Set(here)),
      nudge: (by, nudged) => this.onNudge(chair, by, nudged),
    });
    this.sockets.set(chair, socket);
    socket.open();
  }

  private onState(chair: Chair, state: SocketState): void {
    this.states.set(chair, state);
    if (state.at === "lost") this.here = null;
    if (state.at === "refused" && state.reason === "unknown_table") this.notFound = true;
  }

  private markNudged(chair: number): void {
    this.nudgedChairs.set(chair, true);
    setTimeout(() => this.nudgedChairs.delete(chair), NUDGE_INTERVAL * 1000);
  }

  private onNudge(chair: Chair, by: number, nudged: number): void {
    const nameOf = (one: number) => this.view?.chairs[one]?.name ?? "";
    this.markNudged(nudged);
    if (this.nudging === nudged) {
      this.nudging = null;
      this.app.showMessage(t("nudge.sent", { name: nameOf(nudged) }));
    }
    if (nudged !== chair) return;
    const text = t("nudge.received", { name: nameOf(by) });
    this.nudged = true;
    this.app.notify(this.table, text);
    this.app.showMessage(text);
  }

  private onUpdate(chair: Chair, update: Update): void {
    this.latest.set(chair, update.view);
    this.app.noteScheme(update.view);
    this.checkDeal(update.view);
    // The command that this update belongs to is settled first: only one can be pending.
    if (update.view.you.may.includes("reveal")) queueMicrotask(() => void this.reveal(chair, update.view));
    if (chair === this.chair) {
      this.queue.push(update);
      void this.playQueue();
      if (this.picksFirstSide && this.may("pick") && !this.pickedFirstSide)
        queueMicrotask(() => void this.pickFirstSide(chair));
    } else {
      this.switchChair();
    }
  }

  /** Say so, once, if the server does not keep the deal for which a nonce was revealed. */
  private checkDeal(view: TableView): void {
    if (this.dealBroken || this.app.dealStatus(view) !== "end.fair_broken") return;
    this.dealBroken = true;
    this.app.showError({ sentence: t("end.fair_broken"), rule: null });
  }

  /** Show queued updates, each after the animation of the one before it. */
  private async playQueue(): Promise<void> {
    if (this.animating) return;
    this.stopReplay();
    this.animating = true;
    if (this.clickPainted !== null) await this.clickPainted;
    this.clickPainted = null;
    for (let update = this.queue.shift(); update !== undefined; update = this.queue.shift()) {
      const steps = this.show(update);
      if (steps.length > 0 && !this.skipped) await this.sequencer.play(steps);
    }
    this.animating = this.skipped = false;
    this.switchChair();
  }

  /** Apply an update; returns its animation. */
  private show(update: Update): readonly AnimationStep[] {
    const turn = animatedTurn(update.events, this.view);
    this.scoresBefore = this.view?.game?.scores ?? [];
    this.log = appendUpdate(this.log, update);
    if (turn !== null) this.lastTurn = turn;
    else if (!this.log.standingTurns.some(({ seq }) => seq === this.lastTurn?.seq)) this.lastTurn = null;
    if (this.view?.stage === "playing" && update.view.stage === "over") this.endedHere = true;
    this.view = update.view;
    if (turn === null) return [];
    const own = !turn.house && this.ownChairs.some((chair) => update.view.chairs[chair]?.seat === turn.seat);
    const duration = TURN_DURATIONS[this.speed];
    return own ? animationSteps(turn, duration, own) : this.stepsOf(turn, duration);
  }

  /** When several people share this screen, switch to the chair whose turn it is. */
  private switchChair(): void {
    const { view } = this;
    if (view === null || this.animating || isAwaited(view, this.chair ?? -1)) return;
    const awaited = this.ownChairs.find((chair) => isAwaited(view, chair));
    const seen = awaited === undefined ? undefined : this.latest.get(awaited);
    if (awaited === undefined || seen === undefined || seen.seq < view.seq) return;
    this.awaitingHandover = true;
    this.past = null; // the other player must not see it
    this.chair = awaited;
    this.view = seen;
  }

  private async findChairs(): Promise<void> {
    const found = (await this.app.client.myTables()).find((table) => table.table === this.table);
    this.ownChairs = found?.your_chairs ?? [];
  }
}
