import { describe, expect, it } from "vitest";

import { Announcer } from "./announcer";

/** An announcer, what it has said, and a function that runs its next timer. */
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
  return { liveRegion, said, advance: () => due.shift()?.() };
}

describe("announcements", () => {
  it("that arrive together are spoken together, urgent ones first", () => {
    const { liveRegion, said, advance } = announcer();
    liveRegion.announce("Berta plays");
    liveRegion.announce("This is not possible.", { urgent: true });
    expect(said).toEqual([]);
    advance();
    expect(said).toEqual(["This is not possible. Berta plays."]);
  });

  it("that arrive meanwhile wait for the end of the pause", () => {
    const { liveRegion, said, advance } = announcer();
    liveRegion.announce("one");
    advance();
    liveRegion.announce("two");
    liveRegion.announce("three", { urgent: true });
    expect(said).toEqual(["one."]);
    advance();
    expect(said).toEqual(["one.", "three. two."]);
    advance();
    advance();
    liveRegion.announce("four");
    advance();
    expect(said.at(-1)).toBe("four.");
  });

  it("are replaced by newer ones about the same subject, and never doubled", () => {
    const { liveRegion, said, advance } = announcer();
    liveRegion.announce("Choose a card", { about: "turn" });
    liveRegion.announce("Berta plays");
    liveRegion.announce("Take a tile", { about: "turn" });
    liveRegion.announce("Berta plays");
    liveRegion.announce("");
    advance();
    expect(said).toEqual(["Take a tile. Berta plays."]);
  });
});

/** All sources except tests. */
const PROGRAM = import.meta.glob<string>(["../**/*.{svelte,ts}", "!../**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

it("LiveRegion.svelte is the only live region", () => {
  const live = /role="(status|alert|log|marquee)"|aria-live=|<output/;
  const found = Object.entries(PROGRAM).filter(([, text]) => live.test(text));
  expect(found.map(([path]) => path)).toEqual(["./LiveRegion.svelte"]);
});
