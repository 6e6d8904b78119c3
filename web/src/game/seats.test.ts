import { expect, test } from "vitest";

import { seatsAfter } from "./seats";

test("the others follow one in the order of play, and nobody follows themselves", () => {
  expect(seatsAfter(2, 4)).toEqual([3, 0, 1]);
  expect(seatsAfter(0, 2)).toEqual([1]);
});
