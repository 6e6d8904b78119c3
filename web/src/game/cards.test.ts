import { expect, it } from "vitest";

import { TO_MOVE } from "../../tests/fixtures";
import { isFreeChoice } from "./cards";
import { asCard, type Card } from "./notation";

it("R16: only a motif card whose motif is not on the display is a free choice", () => {
  const display = ["a", "b", "c", "a", "b", "c", "d", "e", "f", null];
  const cards: readonly Card[] = ["a", "g", "h", "36", "*"];
  expect(cards.filter((card) => isFreeChoice(display, card))).toEqual(["g", "h"]);
});

it("a motif card is a free choice exactly if the server lets it take any tile", () => {
  for (const { game, options } of TO_MOVE) {
    for (const [card, spaces] of Object.entries(options!.cards)) {
      if (/^[a-i]$/.test(card)) expect(isFreeChoice(game!.display, asCard(card))).toBe(spaces.length === 10);
    }
  }
});
