import { motifOf, type Card } from "./notation";

/** R16: a motif card is a free choice if no tile on the display shows its motif. */
export function isFreeChoice(display: readonly (string | null)[], card: Card): boolean {
  const motif = motifOf(card);
  return motif !== null && !display.includes(motif);
}
