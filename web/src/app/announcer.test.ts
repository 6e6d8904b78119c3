import { describe, expect, it } from "vitest";

import { Announcer } from "./announcer";

/** An announcer, what it has said, and a clock that goes on when it is told to. */
function announcer() {
  const said: string[] = [];
  const due: (() => void)[] = [];
  const liveRegion = new Announcer(
    (_, act) => {
      due.push(act);
      return () => {};
    },
    (text) => said.push(text),
  );
  return { liveRegion, said, goOn: () => due.shift()?.() };
}

describe("one voice", () => {
  it("says together what comes together, what is urgent first", () => {
    const { liveRegion, said, goOn } = announcer();
    liveRegion.announce("Berta plays");
    liveRegion.announce("This is not possible.", { urgent: true });
    expect(said).toEqual([]);
    goOn();
    expect(said).toEqual(["This is not possible. Berta plays."]);
  });

  it("lets everything be heard: what comes meanwhile waits for its turn", () => {
    const { liveRegion, said, goOn } = announcer();
    liveRegion.announce("one");
    goOn();
    liveRegion.announce("two");
    liveRegion.announce("three", { urgent: true });
    expect(said).toEqual(["one."]);
    goOn();
    expect(said).toEqual(["one.", "three. two."]);
    goOn();
    goOn();
    liveRegion.announce("four");
    goOn();
    expect(said.at(-1)).toBe("four.");
  });

  it("says only the newest about a thing, and nothing twice at once", () => {
    const { liveRegion, said, goOn } = announcer();
    liveRegion.announce("Choose a card", { about: "turn" });
    liveRegion.announce("Berta plays");
    liveRegion.announce("Take a tile", { about: "turn" });
    liveRegion.announce("Berta plays");
    liveRegion.announce("");
    goOn();
    expect(said).toEqual(["Take a tile. Berta plays."]);
  });
});

/** All of the program but the tests. */
const PROGRAM = import.meta.glob<string>(["../**/*.{svelte,ts}", "!../**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

it("is the only live region of the page", () => {
  const live = /role="(status|alert|log|marquee)"|aria-live=|<output/;
  const found = Object.entries(PROGRAM).filter(([, text]) => live.test(text));
  expect(found.map(([path]) => path)).toEqual(["./LiveRegion.svelte"]);
});
