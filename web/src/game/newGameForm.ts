/**
 * The form for a new game: its chairs and settings.
 *
 * A form always has four chairs, so that one that is removed and added again keeps its values.
 */
import type { Edition, Expansion, NewChair, NewTable } from "../net/types";
import { COLOURS, type Colour } from "./colours";
import type { GameSettings, OwnBoards } from "../app/settings";

export type Sitter = NewChair["sitter"];
export type Pace = "none" | "turn" | "days";

export interface ChairForm {
  readonly sitter: Sitter;
  /** The person's name here; empty for their usual name. */
  readonly name: string;
  readonly player: string;
  /** Missing: the preferred colour, or a free one. */
  readonly colour?: Colour;
}

export interface NewGameForm {
  readonly seats: 2 | 3 | 4;
  readonly chairs: readonly ChairForm[];
  readonly edition: Edition;
  readonly expansions: readonly Expansion[];
  /** A named set of boards, or a custom one with its file; null for the edition's. */
  readonly boards: string | OwnBoards | null;
  readonly pace: Pace;
  /** Seconds or days for a turn. */
  readonly amount: number;
  readonly hints: boolean;
  readonly listed: boolean;
  /** The chair that starts; null if it is drawn. */
  readonly first: number | null;
}

/** Maximum length of a custom boards file. */
export const LARGEST_BOARDS = 12_000;

/** Time controls on offer: seconds per turn, days per turn. */
export const AMOUNTS = { turn: [30, 60, 120, 300, 600], days: [1, 2, 3, 7] } as const;

/** Defaults for chairs that the last game did not have. */
const SPARE: readonly ChairForm[] = ["level:5", "level:3", "level:2", "level:4"].map((player) => ({
  sitter: "computer",
  name: "",
  player,
}));

/** A form filled with the settings of the last game. */
export function formFromSettings(game: GameSettings): NewGameForm {
  const chairs = SPARE.map((spare, index): ChairForm => {
    const last = game.chairs[index];
    return last === undefined ? spare : { ...last, player: last.player ?? spare.player };
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

/** The settings that are saved for the next game. */
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

/** The chairs of the chosen number of seats. */
export function chairsInUse(form: NewGameForm): readonly ChairForm[] {
  return form.chairs.slice(0, form.seats);
}

/** Whether the game must wait in a lobby for others to join. */
export function hasOpenChairs(form: NewGameForm): boolean {
  return chairsInUse(form).some((chair) => chair.sitter === "open");
}

/** The same game against computer players only: no open chairs, not listed, and without a clock if played alone. */
export function againstComputers(form: NewGameForm): NewGameForm {
  const chairs = form.chairs.map((chair) =>
    chair.sitter === "open" ? { ...chair, sitter: "computer" as const } : chair,
  );
  const alone = chairs.slice(0, form.seats).filter(({ sitter }) => sitter === "person").length < 2;
  return normalized({ ...form, chairs, listed: false, pace: alone ? "none" : form.pace });
}

/** A form that the server accepts: the wild boar only in its edition, a clock only with an amount. */
export function normalized(form: NewGameForm): NewGameForm {
  const expansions = form.expansions.filter((one) => one !== "wild_boar" || form.edition === "imperial");
  const amount = form.pace === "none" ? 0 : form.amount || AMOUNTS[form.pace][1];
  const first = form.first !== null && form.first < form.seats ? form.first : null;
  return { ...form, expansions, amount, first };
}

/** The creator's chair: the first person's; -1 if only computers play. */
export function ownChair(form: NewGameForm): number {
  return chairsInUse(form).findIndex((chair) => chair.sitter === "person");
}

/** The colours of the people at this screen, by chair: as chosen, else the preferred one, else a free one. */
export function chairColours(form: NewGameForm, wish: Colour | null): readonly (Colour | null)[] {
  const chairs = chairsInUse(form);
  const self = ownChair(form);
  const colours = chairs.map(({ sitter, colour }, index) => {
    const wanted = colour ?? (index === self ? wish : null);
    return sitter === "person" ? wanted : null;
  });
  const chosen = colours.map((colour, index) => (colours.indexOf(colour) === index ? colour : null));
  const left = COLOURS.filter((colour) => !chosen.includes(colour));
  return chosen.map((colour, index) =>
    chairs[index]!.sitter === "person" ? (colour ?? left.shift()!) : colour,
  );
}

function withoutColour({ sitter, name, player }: ChairForm): ChairForm {
  return { sitter, name, player };
}

/** The request for the server; `defaultName` names a person whose chair has no name, `wish` is the preferred colour. */
export function toNewTable(
  form: NewGameForm,
  defaultName: (chair: number) => string,
  wish: Colour | null = null,
): NewTable {
  const { edition, expansions, boards, pace, amount, hints, listed, first } = normalized(form);
  const colours = chairColours(form, wish);
  const chairs = chairsInUse(form).map((chair, index): NewChair => {
    if (chair.sitter === "computer") return { sitter: "computer", player: chair.player };
    if (chair.sitter === "open") return { sitter: "open" };
    return {
      sitter: "person",
      name: chair.name.trim() || defaultName(index),
      colour: colours[index] ?? null,
    };
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

/** The name that the user typed for the chair that is their own; empty if none. */
export function hostName(form: NewGameForm): string {
  const chair = chairsInUse(form)[ownChair(form)];
  return chair?.sitter === "person" ? chair.name.trim() : "";
}
