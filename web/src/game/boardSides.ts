/** The board sides to pick from before the first turn, as gardens. */
import type { Expansion, SetupView } from "../net/types";
import { gardenOf, type Garden } from "./garden";
import { COLUMNS } from "./notation";

interface Board {
  readonly printed: readonly string[];
  readonly marks: Readonly<Record<string, string>> | null;
}

/** R34: where the boar starts. */
const BOAR = "e4";

/** Both sides of the board that a seat picks now: its garden, or the reward board on its garden. */
export function pickedBoards(setup: SetupView, seat: number): readonly Board[] {
  const gardens = setup.gardens[seat] ?? [];
  if (setup.phase !== "reward_sides") return gardens.map((printed) => ({ printed, marks: null }));
  const printed = gardens[setup.garden_sides[seat] ?? 0] ?? [];
  return (setup.rewards[seat] ?? []).map((marks) => ({ printed, marks }));
}

/** R33: what is printed below a reward board is covered. */
export function sideOf({ printed, marks }: Board, expansions: readonly Expansion[]): Garden {
  const seen = marks === null ? printed : printed.filter((square) => !isCovered(square));
  const built = [...new Set([...COLUMNS.map((column) => `${column}1`), ...seen])];
  return gardenOf({
    printed: built,
    built,
    gardeners: [],
    nobles: [],
    boar: expansions.includes("wild_boar") && !built.includes(BOAR) ? BOAR : null,
    ...(marks === null ? {} : { rewards: { ...marks } }),
  });
}

/** R29: a triangle of 16 squares: e3, d4 to f4, c5 to g5, b6 to h6. */
function isCovered(square: string): boolean {
  const fromMiddle = Math.abs("abcdefghi".indexOf(square.charAt(0)) - 4);
  return fromMiddle <= Number(square.charAt(1)) - 3;
}
