import { describe, expect, it } from "vitest";

import { gain, points } from "./formatPoints";

describe("points", () => {
  it("are written with a true minus", () => {
    expect([7, 0, -7].map(points)).toEqual(["7", "0", "−7"]);
  });

  it("that were won or lost always have a sign", () => {
    expect([7, 0, -7].map(gain)).toEqual(["+7", "+0", "−7"]);
  });
});
