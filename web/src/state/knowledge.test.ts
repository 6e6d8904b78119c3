import { describe, expect, it } from "vitest";

import { copy, IMPERIAL, RAVENSBURGER, TO_MOVE } from "../../tests/fixtures";
import {
  cardsOf,
  chairOf,
  freeChoices,
  isAwaited,
  possibleMissions,
  progress,
  tiles,
  tilesInPouch,
  turnsUntil,
  upcoming,
} from "./knowledge";
import { COLUMNS } from "./notation";

const EVERY = [...TO_MOVE, RAVENSBURGER.over.view, IMPERIAL.over.view, IMPERIAL.watched];

describe("cards", () => {
  it("R11, R23: every seat has two in hand until the pile is empty, and 18 in all", () => {
    for (const view of EVERY) {
      const game = view.game!;
      game.unplayed.forEach((_, seat) => {
        const cards = cardsOf(game, seat);
        expect(cards.inHand + cards.inPile + cards.played.length).toBe(18);
        const until = turnsUntil(game, seat);
        const turns = until === null ? 0 : 18 - Math.floor((game.turn + until) / game.variant.seats);
        expect(progress(game).left[seat]).toBe(turns);
        if (seat === game.seat) {
          expect(cards.hand).toHaveLength(cards.inHand);
          expect(cards.pile).toHaveLength(cards.inPile);
        } else expect(cards.hand ?? cards.pile).toBeNull();
      });
    }
  });

  it("R16: of a motif that no tile shows are free choices, and only they", () => {
    const game = copy(RAVENSBURGER.views[0]!.game!);
    game.display = ["a", "b", "c", "a", "b", "c", "d", "e", "f", null];
    expect(freeChoices(game, ["a", "g", "h", "36", "*"])).toEqual(["g", "h"]);
  });

  it("that may take any tile are free choices in real games", () => {
    for (const view of TO_MOVE) {
      const free = freeChoices(view.game!, cardsOf(view.game!, view.you.seat!).hand!);
      for (const [card, spaces] of Object.entries(view.options!.cards)) {
        if (COLUMNS.some((motif) => motif === card))
          expect(spaces.length === 10).toBe(free.includes(card as "a"));
      }
    }
  });
});

describe("tiles", () => {
  it("R3: are 5 or 9 of each motif: in the pouch, on the display, or in the gardens", () => {
    for (const view of EVERY) {
      const game = view.game!;
      const all = tiles(game).reduce((sum, count) => sum + count.inPlay, 0);
      const shown = tiles(game).reduce((sum, count) => sum + count.onDisplay, 0);
      expect(tilesInPouch(game) + shown + game.turn).toBe(all);
    }
    expect(tiles(IMPERIAL.views[0]!.game!)[0]!.inPlay).toBe(9);
  });
});

describe("the order of turns", () => {
  it("R1: goes round, and ends after 18 turns each", () => {
    for (const view of TO_MOVE) {
      const game = view.game!;
      expect(upcoming(game)[0]).toBe(game.to_move);
      upcoming(game).forEach((seat, step) => expect(turnsUntil(game, seat)).toBe(step));
    }
    const last = RAVENSBURGER.views[2]!.game!;
    expect(progress(last)).toMatchObject({ round: 18, turn: 35, turns: 36, left: [0, 1], last: true });
    expect(turnsUntil(last, 0)).toBeNull();
    expect(upcoming(last)).toEqual([1]);
    expect(upcoming(RAVENSBURGER.over.view.game!)).toEqual([]);
  });
});

describe("missions", () => {
  it("R12: of others can be all that one does not hold", () => {
    const game = IMPERIAL.views[0]!.game!;
    const own = game.missions[game.seat!]!;
    expect(possibleMissions(game, game.seat!)).toEqual(own);
    expect(possibleMissions(game, (game.seat! + 1) % 4)).toEqual(
      COLUMNS.filter((column) => !own.includes(column)),
    );
    expect(possibleMissions(IMPERIAL.watched.game!, 0)).toHaveLength(2);
  });
});

describe("chairs", () => {
  it("are found by their seats, and know whether they are awaited", () => {
    const view = IMPERIAL.views[1]!;
    expect(chairOf(view, view.you.seat!)!.chair).toBe(view.you.chair);
    expect(chairOf(view, 9)).toBeNull();
    expect(isAwaited(view)).toBe(true);
    expect(isAwaited(IMPERIAL.watched)).toBe(false);
  });
});
