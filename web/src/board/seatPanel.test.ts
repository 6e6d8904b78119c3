import { render } from "svelte/server";
import { expect, it } from "vitest";

import { IMPERIAL } from "../../tests/fixtures";
import { gardenOf } from "../game/garden";
import { asSquare } from "../game/notation";
import SeatPanel from "./SeatPanel.svelte";

/** The text of an opponent's panel, as a screen reader reads it. */
function spoken(gardeners: readonly string[], total: number): string {
  const game = IMPERIAL.views[0]!.game!;
  const props = {
    player: { name: "Ada", player: null, chair: 0, seat: 0, conceded: false, away: false },
    seat: 0,
    garden: { ...gardenOf(game.gardens[0]!), gardeners: new Set(gardeners.map(asSquare)) },
    score: { ...game.scores[0]!, total },
    cardsLeft: 1,
    toMove: false,
    changed: new Set<never>(),
    walk: [],
    from: null,
    step: null,
    lit: new Map(),
    hinted: new Map(),
    still: true,
    onenlarge: () => {},
  };
  const { body } = render(SeatPanel, { props });
  return body.replace(/<(\w+)[^>]*aria-hidden="true"[\s\S]*?<\/\1>/g, "").replace(/<[^>]*>/g, "");
}

it("a panel has the singular for one gardener and one point", () => {
  expect(spoken(["b2"], 1)).toMatch(/1 point, \d+ squares built, 1 gardener; enlarge/);
  expect(spoken(["b2", "b3"], 0)).toMatch(/0 points, \d+ squares built, 2 gardeners; enlarge/);
});
