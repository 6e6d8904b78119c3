/**
 * A recorded game, position by position, with the turns that lead from one to the next.
 *
 * The server has replayed the record; no rules are applied here.
 */
import type { ChairView, GameView, Steps } from "../net/types";
import type { SeatedPlayer } from "./seats";
import { animatedTurn, type AnimatedTurn } from "./animation";
import { EMPTY_LOG, appendUpdate, turnsOf, type EventLog, type TurnEntry } from "./eventLog";

export class Replay {
  /** By seat. */
  readonly players: readonly (SeatedPlayer & Pick<ChairView, "sitter" | "colour">)[];
  /** Every turn, in order. */
  readonly turns: readonly TurnEntry[];

  constructor(private readonly steps: Steps) {
    this.players = steps.seats.map(({ name, player, colour }, seat) => ({
      chair: seat,
      seat,
      sitter: player === null ? "person" : "computer",
      name,
      player,
      colour: colour ?? null, // replays that were kept by an earlier version have none
      away: false,
      conceded: false,
    }));
    this.turns = turnsOf(this.log().entries);
  }

  /** The last position; the first is 0. */
  get last(): number {
    return this.steps.steps.length - 1;
  }

  /** Null if the record is incomplete. */
  get winners(): readonly number[] | null {
    return this.steps.winners;
  }

  clampTurn(turn: number): number {
    return Math.min(this.last, Math.max(0, turn));
  }

  /** A position with all hands and missions. */
  game(turn: number): GameView {
    return this.steps.steps[turn]!.game;
  }

  /** The position as a seat saw it: its own hand and missions, and everyone's missions at the end. */
  viewFrom(turn: number, seat: number): GameView {
    const game = this.game(turn);
    const missions = game.missions.map((own, index) =>
      index === seat || game.to_move === null ? own : null,
    );
    return { ...game, seat, hand: [...(this.hands(turn)[seat] ?? [])], missions };
  }

  /** All hands. */
  hands(turn: number): readonly (readonly string[])[] {
    return this.steps.steps[turn]!.hands;
  }

  /** The turns up to a position. */
  entriesUntil(turn: number): readonly TurnEntry[] {
    return this.turns.slice(0, turn);
  }

  /** The turn that leads to a position; null for the first. */
  animation(turn: number): AnimatedTurn | null {
    const event = this.steps.events[turn - 1];
    if (event === undefined) return null;
    return animatedTurn([{ ...event, house: true }], { chairs: this.players, game: this.game(turn - 1) });
  }

  private log(): EventLog {
    const chairs = this.players;
    const begun = appendUpdate(EMPTY_LOG, {
      seq: 0,
      events: [],
      view: { chairs, game: this.game(0), origin: null },
    });
    return this.steps.events.reduce(
      (log, event) =>
        appendUpdate(log, {
          seq: event.seq,
          events: [event],
          view: { chairs, game: this.game(event.seq), origin: null },
        }),
      begun,
    );
  }
}
