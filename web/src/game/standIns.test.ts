import { expect, test } from "vitest";

import { beginsStandIn, isAwaited, hasStandIn, chairsWithStandIn, subjectChair } from "./standIns";
import type { LogEntry } from "./eventLog";
import type { ChairView, OwnTable } from "../net/types";

const chairs = [0, 1, 2].map((chair) => ({ chair, away: chair === 1 })) as ChairView[];

test("a stand-in plays on one's own chair, until the game is over", () => {
  expect(chairsWithStandIn({ chairs, stage: "playing" }, [0, 1]).map(({ chair }) => chair)).toEqual([1]);
  expect(chairsWithStandIn({ chairs, stage: "playing" }, [0, 2])).toEqual([]);
  expect(chairsWithStandIn({ chairs, stage: "over" }, [1])).toEqual([]);
});

test("the table waits for a person, not for whom a stand-in plays", () => {
  expect([0, 1, 2].filter((chair) => isAwaited({ chairs, waiting: [1, 2] }, chair))).toEqual([2]);
});

test("a list says where one is replaced", () => {
  const listed = (own: number[], stage: OwnTable["stage"]) =>
    hasStandIn({ chairs: chairs as unknown as OwnTable["chairs"], your_chairs: own, stage });
  expect([listed([1], "playing"), listed([0], "playing"), listed([1], "over")]).toEqual([true, false, false]);
});

test("the log tells of whose clock ran out, and for whom a stand-in was agreed on", () => {
  const told = { seq: 7, at: 0, chair: 0, seat: 0, by: "person", opens: null } as const;
  const vote = (carried: boolean): LogEntry => ({ ...told, kind: "vote", target: 2, carried });
  expect(subjectChair({ ...told, kind: "time_out", chair: null, seat: null, by: "house", target: 1 })).toBe(
    1,
  );
  expect([subjectChair(vote(true)), subjectChair(vote(false))]).toEqual([2, 0]);
  expect([beginsStandIn(vote(true)), beginsStandIn(vote(false))]).toEqual([true, false]);
});
