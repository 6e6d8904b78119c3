/** What everyone may know, counted: cards and tiles that are left, rounds, whose turn comes when. */

import { asCard, asColumn, COLUMNS, motifOf, type Card, type Column, type Motif } from "./notation";
import type { ChairView, GameView, TableView } from "../api/types";

/** R1: every seat has so many turns. */
export const ROUNDS = 18;

export interface SeatCards {
  readonly seat: number;
  /** Not played yet, in hand or pile together: which of them are where is hidden. */
  readonly unplayed: readonly Card[];
  readonly played: readonly Card[];
  readonly inHand: number;
  readonly inPile: number;
  /** The own hand; null for others. */
  readonly hand: readonly Card[] | null;
  /** What is left in the own pile, in no order; null for others. */
  readonly pile: readonly Card[] | null;
}

/** R11, R23, R24: the cards of a seat. */
export function cardsOf(game: GameView, seat: number): SeatCards {
  const unplayed = (game.unplayed[seat] ?? []).map(asCard);
  const inHand = Math.min(2, unplayed.length);
  const own = seat === game.seat ? game.hand.map(asCard) : null;
  return {
    seat,
    unplayed,
    played: game.variant.deck.map(asCard).filter((card) => !unplayed.includes(card)),
    inHand,
    inPile: unplayed.length - inHand,
    hand: own,
    pile: own && unplayed.filter((card) => !own.includes(card)),
  };
}

/** R16: whether a motif card is a free choice, since no tile of the display shows its motif. */
export function isFreeChoice(display: readonly (string | null)[], card: Card): boolean {
  const motif = motifOf(card);
  return motif !== null && !display.includes(motif);
}

/** The motif cards among some that have become a free choice. */
export function freeChoices(game: GameView, cards: readonly Card[]): readonly Card[] {
  return cards.filter((card) => isFreeChoice(game.display, card));
}

export interface MotifCount {
  readonly motif: Motif;
  readonly inPouch: number;
  readonly onDisplay: number;
  /** R3: in the whole game. */
  readonly inPlay: number;
}

/** R3, R13: the tiles by motif. */
export function tiles(game: GameView): readonly MotifCount[] {
  return COLUMNS.map((motif) => ({
    motif,
    inPouch: game.pouch[motif] ?? 0,
    onDisplay: game.display.filter((shown) => shown === motif).length,
    inPlay: 2 * game.variant.seats + 1,
  }));
}

export function tilesInPouch(game: GameView): number {
  return tiles(game).reduce((sum, { inPouch }) => sum + inPouch, 0);
}

export interface Progress {
  readonly round: number;
  readonly rounds: number;
  readonly turn: number;
  readonly turns: number;
  /** Turns that a seat still has, this one too. */
  readonly left: readonly number[];
  /** Whether every seat has its last turn now. */
  readonly last: boolean;
}

/** R1: how far the game is. */
export function progress(game: GameView): Progress {
  const left = game.unplayed.map((cards) => cards.length); // a turn for every card
  const turns = ROUNDS * game.variant.seats;
  return { round: game.round, rounds: ROUNDS, turn: game.turn, turns, left, last: game.round === ROUNDS };
}

/** How many turns of others come before a seat's next one; null if it has none any more. */
export function turnsUntil(game: GameView, seat: number): number | null {
  const until = wait(game, seat);
  return game.turn + until < ROUNDS * game.variant.seats ? until : null;
}

function wait(game: GameView, seat: number): number {
  const { seats } = game.variant;
  return (((seat - game.turn) % seats) + seats) % seats;
}

/** The seats in the order in which they play from now on, the one to move first; empty when the game is over. */
export function upcoming(game: GameView): readonly number[] {
  const { seats } = game.variant;
  const left = Math.min(seats, ROUNDS * seats - game.turn);
  return game.to_move === null ? [] : Array.from({ length: left }, (_, step) => (game.turn + step) % seats);
}

/** R12: the missions that a seat may have, as far as the viewer can tell: its two, or all but the known ones. */
export function possibleMissions(game: GameView, seat: number): readonly Column[] {
  const known = game.missions[seat];
  if (known) return known.map(asColumn);
  const shown = game.missions.flatMap((columns) => columns ?? []);
  return COLUMNS.filter((column) => !shown.includes(column));
}

/** The chair that has a seat. */
export function chairOf(view: TableView, seat: number): ChairView | null {
  return view.chairs.find((chair) => chair.seat === seat) ?? null;
}

/** Whether the table waits for the viewer. */
export function isAwaited(view: TableView): boolean {
  return view.you.chair !== null && view.waiting.includes(view.you.chair);
}
