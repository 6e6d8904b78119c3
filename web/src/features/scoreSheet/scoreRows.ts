/** The scores of a physical game as rows of a table: the score track, then the points of the end. */

import type { Expansion, Scores } from "../../net/types";
import type { TieBreak } from "../../game/gameResult";

type SeatScore = Scores["seats"][number];
export type ScoreRowPart =
  | "track"
  | "track_nobles"
  | "track_rewards"
  | "track_boar"
  | "rows"
  | "columns"
  | "missions"
  | "boar"
  | "total"
  | "gardeners";

export interface ScoreRow {
  readonly part: ScoreRowPart;
  /** Empty if there is none. */
  readonly rule: string;
  /** By seat; null if it is not known separately. */
  readonly points: readonly (number | null)[];
  /** Whether it is a part of the track above it. */
  readonly within: boolean;
}

const RULES: Record<ScoreRowPart, string> = {
  track: "",
  track_nobles: "R21",
  track_rewards: "R29",
  track_boar: "R35",
  rows: "R25",
  columns: "R26",
  missions: "R27",
  boar: "R37",
  total: "",
  gardeners: "R28",
};

/** All parts that are played, in the order in which they are counted. */
export function scoreRows(scores: Scores, expansions: readonly Expansion[]): readonly ScoreRow[] {
  const rewards = expansions.includes("rewards");
  const boar = expansions.includes("wild_boar");
  const parts: readonly ScoreRowPart[] = [
    "track",
    ...(rewards || boar ? (["track_nobles"] as const) : []),
    ...(rewards ? (["track_rewards"] as const) : []),
    ...(boar ? (["track_boar"] as const) : []),
    "rows",
    "columns",
    "missions",
    ...(boar ? (["boar"] as const) : []),
    "total",
    "gardeners",
  ];
  return parts.map((part) => ({
    part,
    rule: RULES[part],
    points: scores.seats.map((seat: SeatScore) => seat[part]),
    within: part.startsWith("track_"),
  }));
}

/** R28: why one of several seats with the same points has won, or several have; null without a tie, or a winner. */
export function tieBreakOf({ tied, winners, seats }: Scores): Omit<TieBreak, "rule"> | null {
  if (tied.length < 2 || winners.length === 0) return null;
  return {
    kind: winners.length === 1 ? "gardeners" : "shared",
    tied: winners.length === 1 ? tied : winners,
    points: seats[tied[0]!]!.total,
  };
}
