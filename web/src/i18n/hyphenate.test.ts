import { expect, it } from "vitest";

import { hyphenated } from "./hyphenate";

it("long names of motifs have a soft hyphen between their parts", () => {
  expect(hyphenated("Kräuterschnecke, Reihe 5")).toBe("Kräuter\u00adschnecke, Reihe 5");
  expect(hyphenated("Rosenbogen")).toBe("Rosen\u00adbogen");
  expect(hyphenated("escargot d’herbes")).toBe("escargot d’herbes");
});
