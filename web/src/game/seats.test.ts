import { expect, test } from "vitest";

import { seatsAfter } from "./seats";

test("the other seats follow in turn order", () => {
  expect(seatsAfter(2, 4)).toEqual([3, 0, 1]);
  expect(seatsAfter(0, 2)).toEqual([1]);
});
