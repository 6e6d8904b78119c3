/**
 * Explains why a step is illegal, and remarks on what was chosen: codes with their rules.
 *
 * `options` decides what is legal; this only finds the reason. Codes that the server has too (`refusal.…` in
 * docs/protocol.md) have the same meaning and details, so both use the same texts.
 */

import { after, rowOfNoble, type Garden } from "./garden";
import { isFreeChoice } from "./cards";
import {
  asColumn,
  columnOf,
  isGardener,
  kindOf,
  LEAVES,
  motifOf,
  ownSquare,
  parseTurn,
  rowOf,
  squareOf,
  type Card,
  type Column,
  type Goal,
  type Motif,
  type Space,
  type Square,
  type Turn,
} from "./notation";
import { markPoints } from "./points";
import type { GameView } from "../net/types";
import { NO_NOBLE, Staging, type Step, type TurnView } from "./staging";

export type Rule = `R${number}`;

/** Every reason with its rule; null if it is not a rule of the game. */
export const REASONS = {
  // no turn to choose
  not_begun: null,
  watching: null,
  ended: null,
  game_over: "R1",
  conceded: null,
  paused: null,
  stand_in_plays: null,
  not_your_turn: "R1",
  // the card
  card_not_in_hand: "R14",
  card_not_to_square: "R18",
  // the space
  space_empty: "R22",
  space_of_other_row: "R15",
  space_of_other_motif: "R16",
  no_tile_there: "R17",
  no_card_takes: "R14",
  // the square
  not_its_own_square: "R18",
  no_tile_for_square: "R18",
  gardener_by_choice: "R19",
  own_square_built: "R19",
  gardener_on_built_square: "R19",
  gardener_out_of_line: "R19",
  // the boar
  no_boar: "R34",
  boar_not_disturbed: "R35",
  boar_must_move: "R35",
  boar_out_of_reach: "R35",
  boar_must_leave: "R36",
  boar_may_not_leave: "R36",
  // the noble
  tile_first: "R14",
  noble_other_column: "R20",
  noble_on_free_square: "R20",
  noble_on_gardener: "R20",
  noble_not_lower: "R20",
  noble_not_connected: "R20",
  // what was typed
  no_turn: null,
} as const satisfies Record<string, Rule | null>;

/** Remarks about the staged turn. */
export const REMARKS = {
  motif_absent: "R16",
  becomes_gardener: "R19",
  gardener_anywhere: "R19",
  mark_scores: "R30",
  mark_not_for_gardeners: "R30",
  mark_scores_gardener: "R31",
  mark_only_for_gardeners: "R31",
  mark_loses: "R32",
  never_below_zero: "R32",
  boar_disturbed: "R35",
  boar_leaves: "R36",
} as const satisfies Record<string, Rule>;

export type ReasonCode = keyof typeof REASONS;
export type RemarkCode = keyof typeof REMARKS;
export type Details = Readonly<Record<string, string | number>>;

export interface Reason {
  readonly code: ReasonCode;
  readonly rule: Rule | null;
  readonly details: Details;
  /** The reason for each card of the hand. */
  readonly because: readonly Reason[];
}

export interface Remark {
  readonly code: RemarkCode;
  readonly rule: Rule;
  readonly details: Details;
}

function reason(code: ReasonCode, details: Details = {}, because: readonly Reason[] = []): Reason {
  return { code, rule: because[0]?.rule ?? REASONS[code], details, because };
}

/** Why the viewer cannot play now; null if they can. */
export function whyNoTurn(view: TurnView): Reason | null {
  if (view.paused && view.game !== null) return reason("paused");
  if (view.options !== null) return null;
  if (view.stage === "over") return reason(view.ending?.manner === "played" ? "game_over" : "ended");
  const chair = view.you.chair === null ? undefined : view.chairs?.[view.you.chair];
  if (chair === undefined) return reason("watching");
  if (view.game === null) return reason("not_begun");
  if (chair.conceded) return reason("conceded");
  if (chair.away) return reason("stand_in_plays");
  return reason("not_your_turn", { seat: view.game.to_move ?? 0 });
}

/** Why a step is illegal; null if it is legal. `noble` is the column of the noble that is to move, if known (R20). */
export function whyNot(view: TurnView, staging: Staging | null, step: Step, noble?: Column): Reason | null {
  const { game } = view;
  const none = whyNoTurn(view);
  if (none !== null || staging === null || game === null) return none ?? reason("not_begun");
  if (
    step.kind === "noble" &&
    noble !== undefined &&
    step.value !== NO_NOBLE &&
    columnOf(step.value) !== noble
  ) {
    return reason("noble_other_column", { square: step.value, column: noble });
  }
  if (staging.can(step)) return null;
  const base = staging.rewound(step.kind);
  switch (step.kind) {
    case "card":
      return whyNotCard(game, step.value);
    case "space":
      return whyNotSpace(game, base, step.value);
    case "square":
      return whyNotSquare(game, base, step.value);
    case "boar":
      return whyNotBoar(base, step.value);
    case "noble":
      return whyNotNoble(base, step.value);
  }
}

/** A card that takes any tile can always be chosen, so only two reasons remain. */
function whyNotCard(game: GameView, card: Card): Reason {
  return reason(game.hand.includes(card) ? "no_tile_there" : "card_not_in_hand", { card });
}

function whyNotSpace(game: GameView, base: Staging, space: Space): Reason {
  const motif = motifOn(game, space);
  if (motif === null) return reason("space_empty", { space });
  const card = base.value("card");
  const cards = card === null ? base.choices("card") : [card];
  const unfit = cards.filter((card) => !base.takes(card).includes(space));
  const square = base.value("square");
  const [first] = unfit;
  if (first !== undefined && unfit.length === cards.length) {
    const because = unfit.map((card) => spaceReason(game, card, space));
    return because.length === 1
      ? spaceReason(game, first, space)
      : reason("no_card_takes", { space }, because);
  }
  return squareReason(base.garden, square ?? ownSquare(motif, space), null, ownSquare(motif, space));
}

function whyNotSquare(game: GameView, base: Staging, square: Square): Reason {
  const space = base.value("space");
  const motif = space === null ? null : motifOn(game, space);
  if (space !== null && motif !== null) {
    return squareReason(base.garden, square, null, ownSquare(motif, space));
  }
  if (base.garden.built.has(square)) return reason("gardener_on_built_square", { square });
  const card = base.value("card");
  return card === null
    ? reason("no_tile_for_square", { square })
    : reason("card_not_to_square", { card, square });
}

function whyNotBoar(base: Staging, goal: Goal): Reason {
  if (base.garden.boar === null) return reason("no_boar");
  if (base.tile === null) return reason("tile_first");
  return boarReason(goal, base.choices("boar"));
}

function whyNotNoble(base: Staging, stop: Square | typeof NO_NOBLE): Reason {
  const { tile } = base;
  if (stop === NO_NOBLE) return reason("tile_first");
  if (tile === null && !isBarred(base.garden, stop)) return reason("tile_first");
  const laid =
    tile === null ? base.garden : after(base.garden, { square: squareOf(tile), gardener: isGardener(tile) });
  return nobleReason(laid, stop);
}

/** Whether no noble can stop on a square, whatever tile is laid. */
function isBarred(garden: Garden, stop: Square): boolean {
  return (
    garden.gardeners.has(stop) ||
    (garden.built.has(stop) && rowOf(stop) <= rowOfNoble(garden, columnOf(stop)))
  );
}

/** R15–R17: why a card does not take the tile of a space. */
function spaceReason(game: GameView, card: Card, space: Space): Reason {
  if (kindOf(card) === "colour") return reason("space_of_other_row", { card, space });
  const motif = motifOf(card);
  const shown = motif !== null && game.display.includes(motif);
  return reason(shown ? "space_of_other_motif" : "no_tile_there", { card, space });
}

/** R18 places structures, R19 gardeners; `gardener` is null if that was not specified. */
function squareReason(garden: Garden, square: Square, gardener: boolean | null, own: Square): Reason {
  const ownIsFree = !garden.built.has(own);
  if (square !== own && (ownIsFree || gardener === false))
    return reason("not_its_own_square", { square, own });
  if (ownIsFree) return reason("gardener_by_choice", { own });
  if (gardener === false || (gardener === null && square === own)) return reason("own_square_built", { own });
  if (garden.built.has(square)) return reason("gardener_on_built_square", { square });
  return reason("gardener_out_of_line", { square, own });
}

/** R35, R36: `goals` are the boar's legal squares; empty if the tile does not disturb it. */
function boarReason(goal: Goal | null, goals: readonly Goal[]): Reason {
  if (goals.length === 0) return reason("boar_not_disturbed");
  if (goals.includes(LEAVES)) return reason("boar_must_leave");
  if (goal === null) return reason("boar_must_move");
  return goal === LEAVES ? reason("boar_may_not_leave") : reason("boar_out_of_reach", { square: goal });
}

/** R20, in the garden with the tile laid. */
function nobleReason(laid: Garden, stop: Square): Reason {
  const details = { square: stop, column: columnOf(stop) };
  if (!laid.built.has(stop)) return reason("noble_on_free_square", details);
  if (laid.gardeners.has(stop)) return reason("noble_on_gardener", details);
  const lower = rowOf(stop) > rowOfNoble(laid, columnOf(stop));
  return reason(lower ? "noble_not_connected" : "noble_not_lower", details);
}

function motifOn(game: GameView, space: Space): Motif | null {
  const motif = game.display[space];
  return motif ? asColumn(motif) : null;
}

/** The first reason, in the order of a turn, why a typed turn is illegal; null if it is legal. */
export function whyNotTurn(view: TurnView, text: string): Reason | null {
  const none = whyNoTurn(view);
  const staging = Staging.begin(view);
  const turn = parseTurn(text);
  if (none !== null || staging === null || view.game === null) return none;
  if (turn === null) return reason("no_turn");
  return staging.stage(turn) === null ? firstReason(view.game, staging, turn) : null;
}

function firstReason(game: GameView, staging: Staging, turn: Turn): Reason {
  const { card, space, square, gardener } = turn;
  if (!game.hand.includes(card)) return reason("card_not_in_hand", { card });
  const motif = motifOn(game, space);
  if (motif === null || !staging.takes(card).includes(space)) return spaceReason(game, card, space);
  const laid = staging.choose({ kind: "card", value: card }).choose({ kind: "space", value: space });
  const may = laid.tilesOf(space).some((tile) => squareOf(tile) === square && isGardener(tile) === gardener);
  if (!may) return squareReason(staging.garden, square, gardener, ownSquare(motif, space));
  return restReason(laid.choose({ kind: "square", value: square }), turn);
}

/** The boar is checked before the noble (R14). */
function restReason(laid: Staging, { boar, noble }: Turn): Reason {
  const goals = laid.choices("boar");
  const wrong = goals.length > 0 ? boar === null || !goals.includes(boar) : boar !== null;
  if (wrong) return laid.garden.boar === null ? reason("no_boar") : boarReason(boar, goals);
  return whyNotNoble(laid, noble ?? NO_NOBLE);
}

/** Remarks about the turn as staged so far. */
export function remarks(view: TurnView, staging: Staging): readonly Remark[] {
  const display = view.game?.display ?? [];
  const card = staging.value("card");
  const absent = card !== null && isFreeChoice(display, card) ? [remark("motif_absent", { card })] : [];
  return [
    ...absent,
    ...gardenerRemarks(view.game, staging),
    ...markRemarks(staging),
    ...boarRemarks(staging),
  ];
}

function remark(code: RemarkCode, details: Details = {}): Remark {
  return { code, rule: REMARKS[code], details };
}

function gardenerRemarks(game: GameView | null, staging: Staging): readonly Remark[] {
  const space = staging.value("space");
  const motif = space === null || game === null ? null : motifOn(game, space);
  if (space === null || motif === null) return [];
  const own = ownSquare(motif, space);
  const tiles = staging.tilesOf(space);
  if (!tiles.some(isGardener)) return [];
  const inLine = tiles.some(
    (tile) => columnOf(squareOf(tile)) === motif || rowOf(squareOf(tile)) === rowOf(own),
  );
  return [remark(inLine ? "becomes_gardener" : "gardener_anywhere", { own })];
}

function markRemarks(staging: Staging): readonly Remark[] {
  const square = staging.tile === null ? null : squareOf(staging.tile);
  const mark = square === null ? undefined : staging.garden.rewards?.get(square);
  if (staging.tile === null || square === null || mark === undefined) return [];
  const gardener = isGardener(staging.tile);
  const worth = markPoints(mark, gardener);
  const { rewards } = staging.points;
  const details = { square, mark, points: rewards };
  if (mark === "g3") return [remark(gardener ? "mark_scores_gardener" : "mark_only_for_gardeners", details)];
  if (worth >= 0) return [remark(gardener ? "mark_not_for_gardeners" : "mark_scores", details)];
  return [remark("mark_loses", details), ...(rewards > worth ? [remark("never_below_zero", details)] : [])];
}

function boarRemarks(staging: Staging): readonly Remark[] {
  if (!staging.disturbs) return [];
  return [
    remark(staging.value("boar") === LEAVES ? "boar_leaves" : "boar_disturbed", {
      points: staging.points.boar,
    }),
  ];
}
