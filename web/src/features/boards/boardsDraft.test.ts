import { describe, expect, it } from "vitest";

import type { Boards } from "../../net/types";
import { Settings } from "../../app/settings";
import {
  afterTap,
  countAt,
  draftOf,
  emptyDraft,
  fieldOf,
  freeName,
  gardenAt,
  isObjection,
  MOST_SETS,
  otherProblems,
  placesOf,
  problemAt,
  readFragment,
  readStored,
  toRequest,
  toStored,
  withBacks,
  withOwnPairs,
  withOwnRewards,
  withPair,
  writeFragment,
  type BoardsDraft,
  type Place,
} from "./boardsDraft";

const SIDE = ["c2", "g2", "a3", "i3", "h4", "a5"];
const MARKED = { e3: "+1", d4: "g3", e4: "-2", f4: "+2", c5: "+1", d5: "+3", b6: "-3" };
const BOARDS: Boards = {
  name: "Ada’s box & more",
  sha256: "0".repeat(64),
  boar_can_start: true,
  pairs: ["24", "25", "26", "34", "35", "36", "46", "56"],
  gardens: [[SIDE, SIDE.toReversed()], [SIDE], [SIDE], [SIDE]],
  rewards: [[MARKED], [MARKED, MARKED], [MARKED], [MARKED]],
};
const FRONT: Place = { kind: "gardens", board: 1, side: 0 };
const REWARD: Place = { kind: "rewards", board: 0, side: 0 };

function tapped(
  draft: BoardsDraft,
  place: Place,
  square: "b2" | "e3",
  mark: "+1" | "-3" = "+1",
): BoardsDraft {
  const found = afterTap(draft, place, square, mark);
  if (isObjection(found)) throw new Error(found.why);
  return found;
}

describe("a draft", () => {
  it("has the content of a set, and is sent as that", () => {
    const { name, pairs, gardens, rewards } = BOARDS;
    expect(toRequest(draftOf(BOARDS))).toEqual({ name, pairs, gardens, rewards });
  });

  it("starts empty, with two sides for each garden and the usual rewards and pairs", () => {
    const draft = emptyDraft("box");
    expect(placesOf(draft)).toHaveLength(8);
    expect(toRequest(draft)).toMatchObject({ rewards: null, pairs: null });
    expect(placesOf(withBacks(draft, "gardens", false))).toHaveLength(4);
    expect(placesOf(withOwnRewards(draft, true))).toHaveLength(16);
  });

  it("prints a square by a tap, and removes it by another one", () => {
    const once = tapped(emptyDraft("box"), FRONT, "b2");
    expect(countAt(once, FRONT)).toBe(1);
    expect(gardenAt(once, FRONT).built.has("b2")).toBe(true);
    expect(countAt(once, { ...FRONT, side: 1 })).toBe(0);
    expect(tapped(once, FRONT, "b2")).toEqual(emptyDraft("box"));
  });

  it("puts a mark on a square, replaces it, and removes it", () => {
    const empty = withOwnRewards(emptyDraft("box"), true);
    const once = tapped(empty, REWARD, "e3");
    expect(gardenAt(once, REWARD).rewards).toEqual(new Map([["e3", "+1"]]));
    const replaced = tapped(once, REWARD, "e3", "-3");
    expect(gardenAt(replaced, REWARD).rewards?.get("e3")).toBe("-3");
    expect(tapped(replaced, REWARD, "e3", "-3")).toEqual(empty);
  });

  it("refuses squares that no board can have, with the rule", () => {
    expect(afterTap(emptyDraft(""), FRONT, "b1", "+1")).toEqual({ why: "row_1", rule: "R2" });
    const draft = withOwnRewards(emptyDraft(""), true);
    expect(afterTap(draft, REWARD, "a2", "+1")).toEqual({ why: "no_mark_here", rule: "R29" });
  });

  it("keeps its pairs in order", () => {
    const draft = withPair(withPair(withOwnPairs(emptyDraft(""), true), "56"), "23");
    expect(draft.pairs).toEqual(["23", "56"]);
    expect(withPair(draft, "23").pairs).toEqual(["56"]);
  });

  it("shows problems at their field", () => {
    const problems = [
      { field: "boards.gardens.2.front", sentence: "six" },
      { field: "boards.gardens", sentence: "four" },
    ];
    expect(problemAt(problems, fieldOf(FRONT))).toBe("six");
    expect(problemAt(problems, "boards.name")).toBe("");
    expect(otherProblems(emptyDraft(""), problems)).toEqual([problems[1]]);
  });
});

describe("a link", () => {
  it.each([draftOf(BOARDS), emptyDraft("leer"), withOwnPairs(withOwnRewards(emptyDraft(""), true), true)])(
    "has the whole draft",
    (draft) => expect(readFragment(writeFragment(draft))).toEqual(draft),
  );

  it("is short", () => {
    expect(writeFragment(draftOf(BOARDS)).length).toBeLessThan(300);
  });

  it.each(["", "name=box", "gardens=c2", "gardens=c2-d2-e2...", "gardens=c2.d2.e2.f2.g2", "%ff"])(
    "%s is not one",
    (fragment) => expect(readFragment(fragment)).toBeNull(),
  );

  it("loses invalid squares, marks and pairs; the server reports what is missing", () => {
    const rewards = ["19", "2", "", ""].map((marks) => marks.padEnd(16, "0")).join(".");
    const draft = readFragment(
      `name=${"x".repeat(99)}&gardens=k9c2c2x.d2-e.<b.f2&rewards=${rewards}&pairs=7724242`,
    );
    expect(draft?.name).toHaveLength(60);
    expect(draft?.gardens).toEqual([[["c2"]], [["d2"], []], [[]], [["f2"]]]);
    expect(draft?.rewards).toEqual([[{ e3: "+1" }], [{ e3: "+2" }], [{}], [{}]]);
    expect(draft?.pairs).toEqual(["24"]);
  });

  it("that was cut short is none", () => {
    const gardens = Array(4).fill("b2").join(".");
    const rewards = Array(4).fill("0".repeat(16)).join(".");
    expect(readFragment(`name=x&gardens=${gardens}&rewards=${rewards}`)).not.toBeNull();
    for (const cut of [1, 16, 17])
      expect(readFragment(`name=x&gardens=${gardens}&rewards=${rewards.slice(0, -cut)}`)).toBeNull();
  });
});

describe("storage", () => {
  const stored = { draft: draftOf(BOARDS), file: "[boards]" };

  it("has the sets, and offers those with a file elsewhere", () => {
    const text = JSON.stringify([stored, { draft: emptyDraft("begun"), file: null }].map(toStored));
    const settings = new Settings({ getItem: () => text, setItem: () => {}, removeItem: () => {} });
    expect(readStored(settings.boards.value)[0]).toEqual(stored);
    expect(settings.ownBoards()).toEqual([{ name: BOARDS.name, file: "[boards]" }]);
  });

  it.each([null, 3, "x", {}, [3], [{ gardens: 3, rewards: [3, [3]], pairs: "24", name: 7, file: 1 }]])(
    "ignores invalid values: %j",
    (value) => {
      for (const { draft, file } of readStored(value)) {
        expect(file).toBeNull();
        expect(draft.gardens).toHaveLength(4);
      }
    },
  );

  it("has a limit", () => {
    expect(readStored(Array.from({ length: 99 }, () => ({})))).toHaveLength(MOST_SETS);
  });
});

it("gives a new set a name that is not taken", () => {
  expect(freeName("My box", ["Ada’s box"])).toBe("My box");
  expect(freeName("My box", ["My box", "My box 3"])).toBe("My box 2");
  expect(freeName("My box", ["My box", "My box 2"])).toBe("My box 3");
});
