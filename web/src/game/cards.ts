/** What a card can do as the display is now. */
import { motifOf, type Card } from "./notation";

/** R16: whether a motif card is a free choice, since no tile of the display shows its motif. */
export function isFreeChoice(display: readonly (string | null)[], card: Card): boolean {
  const motif = motifOf(card);
  return motif !== null && !display.includes(motif);
}
