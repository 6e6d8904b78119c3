/** What the drawings are asked for, in the words of the notation. */

export type MotifLetter = "a" | "b" | "c" | "d" | "e" | "f" | "g" | "h" | "i";
export type RowNumber = 1 | 2 | 3 | 4 | 5 | 6;
export type SeatNumber = 0 | 1 | 2 | 3;
export type Mark = "+1" | "+2" | "+3" | "-2" | "-3" | "g3";

/** A drawing is a vignette of about 72 px or a glyph for 16–28 px. */
export type Family = "vignette" | "glyph";

/** A card face: a motif, two rows, or the free choice. */
export type CardFaceOf =
  { kind: "motif"; motif: MotifLetter } | { kind: "colour"; rows: [RowNumber, RowNumber] } | { kind: "free" };

/** Reads a card of the notation: `a`–`i`, two digits, `*`. */
export function faceOf(card: string): CardFaceOf {
  if (card === "*") return { kind: "free" };
  if (/^[2-6]{2}$/.test(card)) {
    return { kind: "colour", rows: [Number(card[0]) as RowNumber, Number(card[1]) as RowNumber] };
  }
  if (/^[a-i]$/.test(card)) return { kind: "motif", motif: card as MotifLetter };
  throw new RangeError(`not a card: ${card}`);
}
