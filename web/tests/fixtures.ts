/** Real views, events and refusals. `python -m tests.web.make_fixtures` writes them, and the Python tests check them. */

import type { GardenView, Options, PlayEvent, Steps, TableView, Update } from "../src/net/types";
import type { Chapter } from "../src/features/tutorial/tutorial";
import { CARDS, LEAVES, SPACES, SQUARES } from "../src/game/notation";
import { NO_NOBLE, Staging, type Step } from "../src/game/staging";
import boar from "./fixtures/boar-2.json?raw";
import company from "./fixtures/company.json?raw";
import guided from "./fixtures/guided.json?raw";
import imperial from "./fixtures/imperial-rewards-boar-4.json?raw";
import ravensburger from "./fixtures/ravensburger-2.json?raw";
import refused from "./fixtures/refused.json?raw";
import solo from "./fixtures/solo.json?raw";
import steps from "./fixtures/steps.json?raw";
import timed from "./fixtures/timed.json?raw";
import turns from "./fixtures/turns.json?raw";

export interface WholeGame {
  picking: TableView;
  views: TableView[];
  over: Update;
  watched: TableView;
}

export interface RefusedTurn {
  turn: string;
  code: string;
  rule: string;
  details: Record<string, string | number>;
}

export interface RefusedTurns {
  view: TableView;
  refused: RefusedTurn[];
}

export interface PlayedTurn {
  turn: string;
  points: PlayEvent["points"];
  total: number;
  before: GardenView;
  after: GardenView;
  connected: string[];
}

export interface GuidedChapter {
  begins: TableView;
  played: Update;
}

export const RAVENSBURGER = JSON.parse(ravensburger) as WholeGame;
export const IMPERIAL = JSON.parse(imperial) as WholeGame;
export const BOAR = JSON.parse(boar) as RefusedTurns[];
export const TURNS = JSON.parse(turns) as PlayedTurn[];
export const REFUSED = JSON.parse(refused) as RefusedTurns[];
export const SOLO = JSON.parse(solo) as Update[];
export const COMPANY = JSON.parse(company) as Update;
export const STEPS = JSON.parse(steps) as Steps;
export const GUIDED = JSON.parse(guided) as Record<Chapter, GuidedChapter>;
export const TIMED = JSON.parse(timed) as Update;

/** Every view in which the viewer is to move. */
export const TO_MOVE: readonly TableView[] = [
  ...RAVENSBURGER.views,
  ...IMPERIAL.views,
  ...BOAR.map((entry) => entry.view),
  ...REFUSED.map((entry) => entry.view),
];

/** Every legal turn, as docs/protocol.md enumerates them. */
export function* legalTurns(options: Options): Generator<string> {
  for (const [card, spaces] of Object.entries(options.cards)) {
    for (const space of spaces) {
      for (const tile of options.spaces[space] ?? []) {
        for (const goal of options.boar[tile] ?? [null]) {
          const turn = `${card}@${space}-${tile}` + (goal === null ? "" : `~${goal}`);
          yield turn;
          for (const stop of Object.keys(options.stops[tile] ?? {})) yield `${turn}/${stop}`;
        }
      }
    }
  }
}

/** A copy that a test may change. */
export function copy<T>(value: T): T {
  return structuredClone(value);
}

/** All steps, legal or not. */
export const ALL_STEPS: readonly Step[] = [
  ...CARDS.map((value) => ({ kind: "card", value }) as const),
  ...SPACES.map((value) => ({ kind: "space", value }) as const),
  ...SQUARES.map((value) => ({ kind: "square", value }) as const),
  ...[...SQUARES, LEAVES].map((value) => ({ kind: "boar", value }) as Step),
  ...[...SQUARES, NO_NOBLE].map((value) => ({ kind: "noble", value }) as Step),
];

export function begin(view: TableView): Staging {
  const staging = Staging.begin(view);
  if (staging === null) throw new Error("the viewer is not to move");
  return staging;
}
