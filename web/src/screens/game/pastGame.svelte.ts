/** Looking back at a game that goes on. Positions are loaded one at a time and kept. */
import type { TableSession } from "../../app/tableSession.svelte";
import { replayedTurn, type AnimatedTurn } from "../../game/animation";
import { positionOf, turnAt, type LogEntry, type TurnEntry } from "../../game/eventLog";
import { gardenOf } from "../../game/garden";
import type { SeatedPlayer } from "../../game/seats";
import type { EditionNames } from "../../i18n/editionNames.svelte";
import { t, tn } from "../../i18n/i18n.svelte";
import type { GameView, Score } from "../../net/types";
import { isAwaited } from "../../game/standIns";
import { TimelineGame } from "./gameModel.svelte";

export class PastGame extends TimelineGame {
  wanted = $state(0);
  turn = $state(0);
  seat = $state(0);
  /** Null until the first position has arrived. */
  position = $state.raw<GameView | null>(null);
  readonly step = null;
  readonly still = true;
  private readonly loaded = new Map<string, GameView>();
  private readonly begunAt: number;
  private loading = false;

  constructor(
    private readonly session: TableSession,
    private readonly load: (turn: number) => Promise<GameView>,
    turn: number,
  ) {
    super();
    this.begunAt = this.last;
    this.seat = session.view?.you.seat ?? session.view?.game?.to_move ?? 0;
    this.to(turn);
  }

  get game(): GameView {
    return this.position!;
  }

  get players(): readonly SeatedPlayer[] {
    return this.session.chairsBySeat;
  }

  get names(): EditionNames {
    return this.session.names;
  }

  get scores(): readonly Score[] {
    return this.game.scores;
  }

  get entries(): readonly LogEntry[] {
    return this.session.log.entries;
  }

  get last(): number {
    return this.session.view?.game?.turn ?? 0;
  }

  get handSeat(): number | null {
    return this.game.seat;
  }

  get seatLabel(): string {
    return t("look_back.large");
  }

  get handLabel(): string {
    return t("look_back.hand");
  }

  get missionsLabel(): string {
    return t("missions.title");
  }

  /** What has happened at the table since. */
  get news(): string {
    const { view, ownChairs } = this.session;
    if (view?.stage === "over") return t("look_back.over");
    if (ownChairs.some((chair) => view !== null && isAwaited(view, chair))) return t("look_back.awaited");
    const since = this.last - this.begunAt;
    return since > 0 ? tn("look_back.went_on", since) : t("look_back.looking");
  }

  readonly entry = $derived.by<TurnEntry | undefined>(() => turnAt(this.entries, this.turn, this.last));

  readonly lastTurn = $derived.by<AnimatedTurn | null>(() => {
    const { entry } = this;
    const garden = this.game.gardens[entry?.seat ?? -1];
    return entry === undefined || garden === undefined
      ? null
      : replayedTurn([entry], entry, gardenOf(garden));
  });

  readonly leave = (): void => {
    this.session.past = null;
  };

  readonly keys = {
    /** Closes a message first. */
    Escape: () => {
      if (this.session.app.toast !== null) this.session.app.closeToast();
      else this.leave();
    },
  };

  readonly showEntry = (seq: number): void => {
    const turn = positionOf(this.entries, seq, this.last);
    if (turn !== null) this.to(turn);
  };

  /** While a position is loading, only the newest request counts. */
  to(turn: number): void {
    this.wanted = Math.min(this.last, Math.max(0, turn));
    if (!this.loading) void this.follow();
  }

  private async follow(): Promise<void> {
    this.loading = true;
    do {
      const { wanted } = this;
      const game = await this.positionAt(wanted);
      if (game === undefined) this.wanted = this.turn;
      else [this.turn, this.position] = [wanted, game];
    } while (this.wanted !== this.turn);
    this.loading = false;
  }

  /** Taking turns back changes the positions after them, so their number is part of the key. */
  private async positionAt(turn: number): Promise<GameView | undefined> {
    const key = `${this.session.view?.taken_back} ${turn}`;
    if (!this.loaded.has(key)) {
      await this.session.app.attempt(async () => void this.loaded.set(key, await this.load(turn)));
    }
    return this.loaded.get(key);
  }
}
