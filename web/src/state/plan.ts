/**
 * A table as somebody sets it up: who sits on its chairs, and what is played.
 *
 * A plan always has four chairs, so that one that is taken away and put back is still as it was.
 */
import type { Edition, Expansion, NewChair, NewTable } from "../api/types";
import type { GameSettings } from "./settings";

export type Sitter = NewChair["sitter"];
export type Pace = "none" | "turn" | "days";

export interface ChairPlan {
  readonly sitter: Sitter;
  /** What a person here is called; empty: as they are called everywhere. */
  readonly name: string;
  /** Which computer player, if one sits here. */
  readonly player: string;
}

export interface Plan {
  readonly seats: 2 | 3 | 4;
  readonly chairs: readonly ChairPlan[];
  readonly edition: Edition;
  readonly expansions: readonly Expansion[];
  /** A set of boards; null is the edition's own. */
  readonly boards: string | null;
  readonly pace: Pace;
  /** Seconds or days for a turn. */
  readonly amount: number;
  readonly hints: boolean;
  readonly listed: boolean;
  /** The chair that starts; null draws it. */
  readonly first: number | null;
}

/** What can be chosen: seconds a turn, days a turn. */
export const AMOUNTS = { turn: [30, 60, 120, 300, 600], days: [1, 2, 3, 7] } as const;

/** Chairs that nobody has thought of yet. */
const SPARE: readonly ChairPlan[] = ["level:5", "level:3", "level:2", "level:4"].map((player) => ({
  sitter: "computer",
  name: "",
  player,
}));

/** A plan like the last game. */
export function planOf(game: GameSettings): Plan {
  const chairs = SPARE.map((spare, index): ChairPlan => {
    const kept = game.chairs[index];
    return kept === undefined ? spare : { ...kept, player: kept.player ?? spare.player };
  });
  return mended({
    seats: game.chairs.length as Plan["seats"],
    chairs,
    edition: game.edition,
    expansions: game.expansions,
    boards: game.boards,
    pace: game.clock.pace,
    amount: game.clock.amount,
    hints: game.hints,
    listed: game.visibility === "open",
    first: game.first,
  });
}

/** What is kept of a plan for the next time. */
export function gameOf(plan: Plan): GameSettings {
  const { edition, expansions, boards, pace, amount, hints, listed, first } = mended(plan);
  return {
    edition,
    expansions,
    boards,
    chairs: seated(plan),
    clock: { pace, amount },
    hints,
    visibility: listed ? "open" : "link",
    first,
  };
}

/** The chairs that are really put at the table. */
export function seated(plan: Plan): readonly ChairPlan[] {
  return plan.chairs.slice(0, plan.seats);
}

/** Whether it has to wait in a lobby for people to come. */
export function isOpen(plan: Plan): boolean {
  return seated(plan).some((chair) => chair.sitter === "open");
}

/** The same without waiting for anybody: computer players sit on the open chairs. */
export function againstComputers(plan: Plan): Plan {
  const chairs = plan.chairs.map((chair) =>
    chair.sitter === "open" ? { ...chair, sitter: "computer" as const } : chair,
  );
  return { ...plan, chairs };
}

/** A plan that the server takes: the wild boar lives in one edition only, a clock has an amount. */
export function mended(plan: Plan): Plan {
  const expansions = plan.expansions.filter((one) => one !== "wild_boar" || plan.edition === "imperial");
  const amount = plan.pace === "none" ? 0 : plan.amount || AMOUNTS[plan.pace][1];
  const first = plan.first !== null && plan.first < plan.seats ? plan.first : null;
  return { ...plan, expansions, amount, first };
}

/** What the server is asked for; `called` is the name of a person on a chair that has none of its own. */
export function newTable(plan: Plan, called: (chair: number) => string): NewTable {
  const { edition, expansions, boards, pace, amount, hints, listed, first } = mended(plan);
  const chairs = seated(plan).map((chair, index): NewChair => {
    if (chair.sitter === "computer") return { sitter: "computer", player: chair.player };
    if (chair.sitter === "open") return { sitter: "open" };
    return { sitter: "person", name: chair.name.trim() || called(index) };
  });
  return {
    chairs,
    edition,
    expansions: [...expansions],
    boards,
    clock: { pace, amount },
    hints,
    visibility: listed ? "open" : "link",
    first,
  };
}
