/** Looking back at a game that is played: which position one looks at, asked for one at a time and then remembered. */
import type { GameView } from "../../net/types";
import type { TableSession } from "../../app/tableSession.svelte";
import { connected, gardenOf, type Garden } from "../../game/garden";
import type { Overlay } from "../../game/squareView";
import type { Square } from "../../game/notation";
import { turnAt } from "../../game/logPosition";
import { replayedTurn, type AnimatedTurn } from "../../game/animatedTurn";
import type { TurnEntry } from "../../game/eventLog";

export class PastGame {
  /** The position that is wanted: after so many turns. */
  wanted = $state(0);
  /** The one that is seen, and the game in it; null until the first one has come. */
  turn = $state(0);
  game = $state.raw<GameView | null>(null);
  /** Whose garden is the large one. */
  seat = $state(0);
  private readonly known = new Map<string, GameView>();
  private readonly begun: number;
  private asking = false;

  constructor(
    private readonly session: TableSession,
    private readonly ask: (turn: number) => Promise<GameView>,
    turn: number,
  ) {
    this.begun = this.last;
    this.seat = session.view?.you.seat ?? session.view?.game?.to_move ?? 0;
    this.to(turn);
  }

  /** How many turns have been played by now. */
  get last(): number {
    return this.session.view?.game?.turn ?? 0;
  }

  /** How many of them since one looks back. */
  get since(): number {
    return Math.max(0, this.last - this.begun);
  }

  /** The turn that led here, as it is told and as it is shown. */
  readonly entry = $derived.by<TurnEntry | undefined>(() =>
    turnAt(this.session.log.entries, this.turn, this.last),
  );

  readonly lastTurn = $derived.by<AnimatedTurn | null>(() => {
    const { entry } = this;
    const garden = this.gardens[entry?.seat ?? -1];
    return entry === undefined || garden === undefined ? null : replayedTurn([entry], entry, garden);
  });

  readonly gardens = $derived.by<readonly Garden[]>(() => (this.game?.gardens ?? []).map(gardenOf));

  /** What is drawn over the large garden. */
  readonly overlay = $derived.by<Overlay>(() => {
    const changed = this.changedOf(this.seat);
    const walk = changed.size > 0 ? this.lastTurn!.walk : [];
    const from = this.lastTurn?.from ?? null;
    return {
      connected: connected(this.gardens[this.seat]!),
      lit: new Map(),
      from,
      walk,
      walking: null,
      changed,
    };
  });

  /** The squares that the last turn has changed. */
  changedOf(seat: number): ReadonlySet<Square> {
    return this.lastTurn?.seat === seat ? this.lastTurn.squares : new Set();
  }

  /** Go to a position; while one is asked for only the newest wish counts. */
  to(turn: number): void {
    this.wanted = Math.min(this.last, Math.max(0, turn));
    if (!this.asking) void this.follow();
  }

  private async follow(): Promise<void> {
    this.asking = true;
    do {
      const { wanted } = this;
      const game = await this.position(wanted);
      if (game === undefined) this.wanted = this.turn;
      else [this.turn, this.game] = [wanted, game];
    } while (this.wanted !== this.turn);
    this.asking = false;
  }

  /** A position; what was taken back has made others of those that were known. */
  private async position(turn: number): Promise<GameView | undefined> {
    const key = `${this.session.view?.taken_back} ${turn}`;
    if (!this.known.has(key)) {
      await this.session.app.attempt(async () => void this.known.set(key, await this.ask(turn)));
    }
    return this.known.get(key);
  }
}
