import { describe, expect, it } from "vitest";

import { Sequencer } from "./sequencer";

/** A performance whose time is turned by hand. */
function stage() {
  const shown: (string | null)[] = [];
  const waiting: { milliseconds: number; act: () => void }[] = [];
  const sequencer = new Sequencer<{ duration: number; name: string }>(
    (milliseconds, act) => {
      const wait = { milliseconds, act };
      waiting.push(wait);
      return () => void waiting.splice(waiting.indexOf(wait), waiting.includes(wait) ? 1 : 0);
    },
    (step) => shown.push(step?.name ?? null),
  );
  const pass = async () => {
    waiting.shift()?.act();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { sequencer, shown, waiting, pass };
}

const ONE = { duration: 100, name: "one" };
const TWO = { duration: 200, name: "two" };

describe("a performance", () => {
  it("shows one moment after the other, each as long as it lasts, then nothing", async () => {
    const { sequencer, shown, waiting, pass } = stage();
    const over = sequencer.play([ONE, TWO]);
    expect(shown.at(-1)).toBe("one");
    expect(waiting.map(({ milliseconds }) => milliseconds)).toEqual([100]);
    await pass();
    expect(shown.at(-1)).toBe("two");
    await pass();
    await over;
    expect(shown.filter((name) => name !== null)).toEqual(["one", "two"]);
    expect(shown.at(-1)).toBeNull();
  });

  it("can be skipped: nothing more is shown, and nothing waits", async () => {
    const { sequencer, shown, waiting } = stage();
    const over = sequencer.play([ONE, TWO]);
    sequencer.finish();
    await over;
    expect(shown).not.toContain("two");
    expect(shown.at(-1)).toBeNull();
    expect(waiting).toEqual([]);
  });

  it("gives way to the next one", async () => {
    const { sequencer, shown, pass } = stage();
    const first = sequencer.play([ONE, ONE, ONE]);
    const second = sequencer.play([TWO]);
    await first;
    expect(shown.at(-1)).toBe("two");
    await pass();
    await second;
    expect(shown.filter((name) => name !== null)).toEqual(["one", "two"]);
  });
});
