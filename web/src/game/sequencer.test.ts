import { expect, it } from "vitest";

import { Sequencer } from "./animation";

/** A sequencer with a clock that the test advances. */
function setUp() {
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

it("a sequence shows its steps one after the other, then null", async () => {
  const { sequencer, shown, waiting, pass } = setUp();
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

it("a skipped sequence shows nothing more and cancels its timer", async () => {
  const { sequencer, shown, waiting } = setUp();
  const over = sequencer.play([ONE, TWO]);
  sequencer.finish();
  await over;
  expect(shown).not.toContain("two");
  expect(shown.at(-1)).toBeNull();
  expect(waiting).toEqual([]);
});

it("a new sequence replaces the current one", async () => {
  const { sequencer, shown, pass } = setUp();
  const first = sequencer.play([ONE, ONE, ONE]);
  const second = sequencer.play([TWO]);
  await first;
  expect(shown.at(-1)).toBe("two");
  await pass();
  await second;
  expect(shown.filter((name) => name !== null)).toEqual(["one", "two"]);
});
