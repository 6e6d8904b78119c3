import { expect, it } from "vitest";

import { formatGain, formatPoints } from "./formatPoints";

it("points have a real minus sign", () => {
  expect([7, 0, -7].map(formatPoints)).toEqual(["7", "0", "−7"]);
});

it("gains and losses always have a sign", () => {
  expect([7, 0, -7].map(formatGain)).toEqual(["+7", "+0", "−7"]);
});
