import { expect, test } from "vitest";

import { beginsStandIn, isAwaited, hasStandIn, chairsWithStandIn, subjectChair } from "./standIns";
import type { LogEntry } from "./eventLog";
import type { ChairView, OwnTable } from "../net/types";

const chairs = [0, 1, 2].map((chair) => ({ chair, away: chair === 1 })) as ChairView[];

test("own chairs can have a stand-in until the game is over", () => {
  expect(chairsWithStandIn({ chairs, stage: "playing" }, [0, 1]).map(({ chair }) => chair)).toEqual([1]);
  expect(chairsWithStandIn({ chairs, stage: "playing" }, [0, 2])).toEqual([]);
  expect(chairsWithStandIn({ chairs, stage: "over" }, [1])).toEqual([]);
});

test("a person with a stand-in, or whose nonce is missing, is not awaited", () => {
  const awaited = (shuffling: boolean) =>
    [0, 1, 2].filter((chair) => isAwaited({ chairs, waiting: [1, 2], shuffling }, chair));
  expect(awaited(false)).toEqual([2]);
  expect(awaited(true)).toEqual([]);
});

test("a listed table shows whether a stand-in plays for the user", () => {
  const listed = (own: number[], stage: OwnTable["stage"]) =>
    hasStandIn({ chairs: chairs as unknown as OwnTable["chairs"], your_chairs: own, stage });
  expect([listed([1], "playing"), listed([0], "playing"), listed([1], "over")]).toEqual([true, false, false]);
});

test("a time-out and a carried vote are about their target", () => {
  const base = { seq: 7, chair: 0, seat: 0, by: "person", opens: null } as const;
  const vote = (carried: boolean): LogEntry => ({ ...base, kind: "vote", target: 2, carried });
  expect(subjectChair({ ...base, kind: "time_out", chair: null, seat: null, by: "house", target: 1 })).toBe(
    1,
  );
  expect([subjectChair(vote(true)), subjectChair(vote(false))]).toEqual([2, 0]);
  expect([beginsStandIn(vote(true)), beginsStandIn(vote(false))]).toEqual([true, false]);
});
