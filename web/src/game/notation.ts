/**
 * Squares, cards and turns as text, as in docs/notation.md.
 *
 *     a1 b1 c1 d1 e1 f1 g1 h1 i1     the palace is above row 1
 *     a2 b2 …
 *     a6 b6 c6 d6 e6 f6 g6 h6 i6
 *
 * A motif has the letter of its column. A tile is the square where it lies, with a `g` behind it if it lies as a
 * gardener. A turn is `card@space-tile`, then `~boar` and `/noble` as needed: `36@2-g3/g3`, `*@1-b2g~x/b1`.
 */

export const COLUMNS = ["a", "b", "c", "d", "e", "f", "g", "h", "i"] as const;
export const ROWS = [1, 2, 3, 4, 5, 6] as const;
export const SPACES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
export const COLOUR_CARDS = ["23", "24", "25", "26", "34", "35", "36", "45", "46", "56"] as const;
const FREE_CARD = "*";
export const LEAVES = "x";

export type Column = (typeof COLUMNS)[number];
export type Motif = Column;
export type Row = (typeof ROWS)[number];
export type Space = (typeof SPACES)[number];
export type Square = `${Column}${Row}`;
export type Tile = Square | `${Square}g`;
export type ColourCard = (typeof COLOUR_CARDS)[number];
export type Card = Motif | ColourCard | typeof FREE_CARD;
export type CardKind = "motif" | "colour" | "free";
/** Where the boar goes; `x` if it leaves. */
export type Goal = Square | typeof LEAVES;
export type Mark = "+1" | "+2" | "+3" | "g3" | "-2" | "-3";

export interface Turn {
  readonly card: Card;
  readonly space: Space;
  readonly square: Square;
  readonly gardener: boolean;
  readonly boar: Goal | null;
  readonly noble: Square | null;
}

/** All 54, from a1 to i6, row by row. */
export const SQUARES: readonly Square[] = ROWS.flatMap((row) =>
  COLUMNS.map((column) => squareAt(column, row)),
);
/** All 20 in their fixed order; a seat has 18 of them. */
export const CARDS: readonly Card[] = [...COLUMNS, ...COLOUR_CARDS, FREE_CARD];

const KNOWN_SQUARES: ReadonlySet<string> = new Set(SQUARES);
const KNOWN_CARDS: ReadonlySet<string> = new Set(CARDS);
const TURN = /^([a-i]|\d\d|\*)@(\d)-([a-i][2-6])(g?)(?:~([a-i][2-6]|x))?(?:\/([a-i][1-6]))?$/;

export class NotationError extends Error {}

export function isSquare(text: unknown): text is Square {
  return typeof text === "string" && KNOWN_SQUARES.has(text);
}

export function isCard(text: unknown): text is Card {
  return typeof text === "string" && KNOWN_CARDS.has(text);
}

function isColumn(text: unknown): text is Column {
  return COLUMNS.some((column) => column === text);
}

export function isSpace(number: unknown): number is Space {
  return SPACES.some((space) => space === number);
}

export function isGoal(text: unknown): text is Goal {
  return text === LEAVES || isSquare(text);
}

/** The square named by a text from the server; anything else is a protocol error. */
export function asSquare(text: string): Square {
  return checked(text, isSquare);
}

export function asCard(text: string): Card {
  return checked(text, isCard);
}

export function asColumn(text: string): Column {
  return checked(text, isColumn);
}

export function asSpace(number: number): Space {
  return checked(number, isSpace);
}

export function asTile(text: string): Tile {
  return tileOf(asSquare(text.slice(0, 2)), text.slice(2) === "g");
}

export function asGoal(text: string): Goal {
  return checked(text, isGoal);
}

function checked<In, Out extends In>(value: In, is: (value: In) => value is Out): Out {
  if (!is(value)) throw new NotationError(`not known in this game: ${String(value)}`);
  return value;
}

export function squareAt(column: Column, row: Row): Square {
  return `${column}${row}`;
}

export function columnOf(square: Square): Column {
  return square[0] as Column;
}

export function rowOf(square: Square): Row {
  return Number(square[1]) as Row;
}

/** R7: the row that a space feeds. */
export function rowOfSpace(space: Space): Row {
  return (2 + Math.floor(space / 2)) as Row;
}

/** R18: the own square of a tile with this motif, taken from this space. */
export function ownSquare(motif: Motif, space: Space): Square {
  return squareAt(motif, rowOfSpace(space));
}

function tileOf(square: Square, gardener: boolean): Tile {
  return gardener ? `${square}g` : square;
}

export function squareOf(tile: Tile): Square {
  return tile.slice(0, 2) as Square;
}

export function isGardener(tile: Tile): boolean {
  return tile.length === 3;
}

export function kindOf(card: Card): CardKind {
  if (card === FREE_CARD) return "free";
  return card.length === 1 ? "motif" : "colour";
}

/** The motif of a motif card; null for other cards. */
export function motifOf(card: Card): Motif | null {
  return isColumn(card) ? card : null;
}

export function writeTurn(turn: Turn): string {
  const laid = `${turn.card}@${turn.space}-${tileOf(turn.square, turn.gardener)}`;
  return laid + (turn.boar === null ? "" : `~${turn.boar}`) + (turn.noble === null ? "" : `/${turn.noble}`);
}

/** The turn written in a text, legal or not; null if it is not a turn. */
export function parseTurn(text: string): Turn | null {
  const [, card, space, square, gardener, boar, noble] = TURN.exec(text) ?? [];
  if (!isCard(card) || !isSquare(square)) return null;
  return {
    card,
    space: Number(space) as Space,
    square,
    gardener: gardener === "g",
    boar: isGoal(boar) ? boar : null,
    noble: isSquare(noble) ? noble : null,
  };
}

/** A turn sent by the server. */
export function asTurn(text: string): Turn {
  const turn = parseTurn(text);
  if (turn === null) throw new NotationError(`this is no turn: ${text}`);
  return turn;
}
