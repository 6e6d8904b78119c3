import { expect, it } from "vitest";

import { hyphenated, hyphenatedName } from "./hyphenate";

it("long names of motifs have a soft hyphen between their parts", () => {
  expect(hyphenated("Kräuterschnecke, Reihe 5")).toBe("Kräuter\u00adschnecke, Reihe 5");
  expect(hyphenated("Rosenbogen")).toBe("Rosen\u00adbogen");
  expect(hyphenated("escargot d’herbes")).toBe("escargot d’herbes");
});

it.each([
  "Ma-xi-mi-liane von Quit-zow-B",
  "Wolf-gang Ama-deus",
  "Guil-lermo Cons-tan-tino XIV",
  "Fried-rich",
  "Chris-tophe",
  "Be-cker",
  "Án-gela",
  "Дмитрий",
])("a name may be hyphenated between syllables: %s", (parts) => {
  const name = parts.replaceAll(/-(?!B)/g, "");
  expect(hyphenatedName(name)).toBe(parts.replaceAll(/-(?!B)/g, "\u00ad"));
});
