import { describe, expect, it } from "vitest";

import { formatGain, formatPoints } from "./formatPoints";

describe("points", () => {
  it("are written with a true minus", () => {
    expect([7, 0, -7].map(formatPoints)).toEqual(["7", "0", "−7"]);
  });

  it("that were won or lost always have a sign", () => {
    expect([7, 0, -7].map(formatGain)).toEqual(["+7", "+0", "−7"]);
  });
});
