/**
 * A table as somebody sets it up: who sits on its chairs, and what is played.
 *
 * A plan always has four chairs, so that one that is taken away and put back is still as it was.
 */
import type { Edition, Expansion, NewChair, NewTable } from "../net/types";
import { COLOURS, type Colour } from "./colours";
import type { GameSettings, OwnBoards } from "../app/settings";

export type Sitter = NewChair["sitter"];
export type Pace = "none" | "turn" | "days";

export interface ChairForm {
  readonly sitter: Sitter;
  /** What a person here is called; empty: as they are called everywhere. */
  readonly name: string;
  /** Which computer player, if one sits here. */
  readonly player: string;
  /** What a person here wears; missing: as wished, or what is left. */
  readonly colour?: Colour;
}

export interface NewGameForm {
  readonly seats: 2 | 3 | 4;
  readonly chairs: readonly ChairForm[];
  readonly edition: Edition;
  readonly expansions: readonly Expansion[];
  /** A set of boards, one's own with their file; null is the edition's. */
  readonly boards: string | OwnBoards | null;
  readonly pace: Pace;
  /** Seconds or days for a turn. */
  readonly amount: number;
  readonly hints: boolean;
  readonly listed: boolean;
  /** The chair that starts; null draws it. */
  readonly first: number | null;
}

/** How long the file of one's own boards may be. */
export const LARGEST_BOARDS = 12_000;

/** What can be chosen: seconds a turn, days a turn. */
export const AMOUNTS = { turn: [30, 60, 120, 300, 600], days: [1, 2, 3, 7] } as const;

/** Chairs that nobody has thought of yet. */
const SPARE: readonly ChairForm[] = ["level:5", "level:3", "level:2", "level:4"].map((player) => ({
  sitter: "computer",
  name: "",
  player,
}));

/** A plan like the last game. */
export function formFromSettings(game: GameSettings): NewGameForm {
  const chairs = SPARE.map((spare, index): ChairForm => {
    const kept = game.chairs[index];
    return kept === undefined ? spare : { ...kept, player: kept.player ?? spare.player };
  });
  return normalized({
    seats: game.chairs.length as NewGameForm["seats"],
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
export function settingsFromForm(form: NewGameForm): GameSettings {
  const { edition, expansions, boards, pace, amount, hints, listed, first } = normalized(form);
  return {
    edition,
    expansions,
    boards,
    chairs: chairsInUse(form).map((chair, index) =>
      index === ownChair(form) ? withoutColour(chair) : chair,
    ),
    clock: { pace, amount },
    hints,
    visibility: listed ? "open" : "link",
    first,
  };
}

/** The chairs that are really put at the table. */
export function chairsInUse(form: NewGameForm): readonly ChairForm[] {
  return form.chairs.slice(0, form.seats);
}

/** Whether it has to wait in a lobby for people to come. */
export function hasOpenChairs(form: NewGameForm): boolean {
  return chairsInUse(form).some((chair) => chair.sitter === "open");
}

/**
 * The same without waiting for anybody: computer players sit on the open chairs. A clock and a place in the list
 * belong to games with other people.
 */
export function againstComputers(form: NewGameForm): NewGameForm {
  const chairs = form.chairs.map((chair) =>
    chair.sitter === "open" ? { ...chair, sitter: "computer" as const } : chair,
  );
  const alone = chairs.slice(0, form.seats).filter(({ sitter }) => sitter === "person").length < 2;
  return normalized({ ...form, chairs, listed: false, pace: alone ? "none" : form.pace });
}

/** A plan that the server takes: the wild boar lives in one edition only, a clock has an amount. */
export function normalized(form: NewGameForm): NewGameForm {
  const expansions = form.expansions.filter((one) => one !== "wild_boar" || form.edition === "imperial");
  const amount = form.pace === "none" ? 0 : form.amount || AMOUNTS[form.pace][1];
  const first = form.first !== null && form.first < form.seats ? form.first : null;
  return { ...form, expansions, amount, first };
}

/** The chair of whoever sets the table up: the first person's; -1 if only computers play. */
export function ownChair(form: NewGameForm): number {
  return chairsInUse(form).findIndex((chair) => chair.sitter === "person");
}

/** What the people at this screen wear, by chairs: as chosen, one's own as it was last, else what is left. */
export function chairColours(form: NewGameForm, wish: Colour | null): readonly (Colour | null)[] {
  const chairs = chairsInUse(form);
  const self = ownChair(form);
  const worn = chairs.map(({ sitter, colour }, index) => {
    const wanted = colour ?? (index === self ? wish : null);
    return sitter === "person" ? wanted : null;
  });
  const chosen = worn.map((colour, index) => (worn.indexOf(colour) === index ? colour : null));
  const left = COLOURS.filter((colour) => !chosen.includes(colour));
  return chosen.map((colour, index) =>
    chairs[index]!.sitter === "person" ? (colour ?? left.shift()!) : colour,
  );
}

function withoutColour({ sitter, name, player }: ChairForm): ChairForm {
  return { sitter, name, player };
}

/**
 * What the server is asked for; `called` is the name of a person on a chair that has none of its own, `wish` the
 * colour that one would like.
 */
export function toNewTable(
  form: NewGameForm,
  called: (chair: number) => string,
  wish: Colour | null = null,
): NewTable {
  const { edition, expansions, boards, pace, amount, hints, listed, first } = normalized(form);
  const colours = chairColours(form, wish);
  const chairs = chairsInUse(form).map((chair, index): NewChair => {
    if (chair.sitter === "computer") return { sitter: "computer", player: chair.player };
    if (chair.sitter === "open") return { sitter: "open" };
    return { sitter: "person", name: chair.name.trim() || called(index), colour: colours[index] ?? null };
  });
  return {
    chairs,
    edition,
    expansions: [...expansions],
    ...(boards !== null && typeof boards === "object" ? { boards_file: boards.file } : { boards }),
    clock: { pace, amount },
    hints,
    visibility: listed ? "open" : "link",
    first,
  };
}
