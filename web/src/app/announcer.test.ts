import { describe, expect, it } from "vitest";

import { Announcer } from "./announcer";

/** An announcer, what it has said, and a clock that goes on when it is told to. */
function announcer() {
  const said: string[] = [];
  const due: (() => void)[] = [];
  const voice = new Announcer(
    (_, act) => {
      due.push(act);
      return () => {};
    },
    (text) => said.push(text),
  );
  return { voice, said, goOn: () => due.shift()?.() };
}

describe("one voice", () => {
  it("says together what comes together, what is urgent first", () => {
    const { voice, said, goOn } = announcer();
    voice.say("Berta plays");
    voice.say("This is not possible.", { urgent: true });
    expect(said).toEqual([]);
    goOn();
    expect(said).toEqual(["This is not possible. Berta plays."]);
  });

  it("lets everything be heard: what comes meanwhile waits for its turn", () => {
    const { voice, said, goOn } = announcer();
    voice.say("one");
    goOn();
    voice.say("two");
    voice.say("three", { urgent: true });
    expect(said).toEqual(["one."]);
    goOn();
    expect(said).toEqual(["one.", "three. two."]);
    goOn();
    goOn();
    voice.say("four");
    goOn();
    expect(said.at(-1)).toBe("four.");
  });

  it("says only the newest about a thing, and nothing twice at once", () => {
    const { voice, said, goOn } = announcer();
    voice.say("Choose a card", { about: "turn" });
    voice.say("Berta plays");
    voice.say("Take a tile", { about: "turn" });
    voice.say("Berta plays");
    voice.say("");
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
