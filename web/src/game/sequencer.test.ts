import { describe, expect, it } from "vitest";

import { Performance } from "./sequencer";

/** A performance whose time is turned by hand. */
function stage() {
  const shown: (string | null)[] = [];
  const waiting: { milliseconds: number; act: () => void }[] = [];
  const performance = new Performance<{ lasts: number; name: string }>(
    (milliseconds, act) => {
      const wait = { milliseconds, act };
      waiting.push(wait);
      return () => void waiting.splice(waiting.indexOf(wait), waiting.includes(wait) ? 1 : 0);
    },
    (moment) => shown.push(moment?.name ?? null),
  );
  const pass = async () => {
    waiting.shift()?.act();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { performance, shown, waiting, pass };
}

const ONE = { lasts: 100, name: "one" };
const TWO = { lasts: 200, name: "two" };

describe("a performance", () => {
  it("shows one moment after the other, each as long as it lasts, then nothing", async () => {
    const { performance, shown, waiting, pass } = stage();
    const over = performance.perform([ONE, TWO]);
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
    const { performance, shown, waiting } = stage();
    const over = performance.perform([ONE, TWO]);
    performance.finish();
    await over;
    expect(shown).not.toContain("two");
    expect(shown.at(-1)).toBeNull();
    expect(waiting).toEqual([]);
  });

  it("gives way to the next one", async () => {
    const { performance, shown, pass } = stage();
    const first = performance.perform([ONE, ONE, ONE]);
    const second = performance.perform([TWO]);
    await first;
    expect(shown.at(-1)).toBe("two");
    await pass();
    await second;
    expect(shown.filter((name) => name !== null)).toEqual(["one", "two"]);
  });
});
