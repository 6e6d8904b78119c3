import { describe, expect, test } from "vitest";
import { isDealKept, nonceCommitment, verifiedDeal, type DealtTable } from "./fairDeal";

/** The known answers of docs/chance.md. */
const SEED = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, "0")).join("");
const ANSWERS = {
  "fair/2": {
    commitment: "837b2a598338c6d19411ebcc9a674688f2e17a586bf5a3842de56296639ed5f6",
    deal: "68bbdcd4d5141f11b5bee8f76322fd9ba83d886a9c11edf97f0d3f4e1431507c",
    committed: [
      "f0d185878a9b7ec58a14486c7c497c4482c875e2b8a0403ea94c5865a4008fe7",
      "",
      "6034ba4c99d93f55eff46664af2ffe75a3bee97ed6e001c8848b82fdc8b38193",
    ],
  },
  "fair/3": {
    commitment: "d7263d7e0936ce2e81c4a44df1acee341b03fc544ecab3a388d5fa232ee83612",
    deal: "e971614790fe873aa4f87e9d94a4d62a82c0b12bf8efceee0a3e341f6bdfeeeb",
    committed: [
      "b2af4a4e6410ed0f5568c8b587b14221abe5cad20bc782c091dc24981d87b82a",
      "",
      "bd0a390e6c56f1f811904b35b51e4aab235a348e4a400d1a6b93b313c4f14e4f",
    ],
  },
} as const;
/** The deal of `fair/3` if chair 1 begins. */
const DEAL_OF_CHAIR_1 = "765633ff8e96e4c46108ec4472686d232addeb81a0a3f215e4ca7c6de1217333";
const TERMS: DealtTable["terms"] = {
  edition: "imperial",
  expansions: ["rewards", "wild_boar"],
  boards: { sha256: "095ad7e7e989eca0eaaa66981c35a8171df734055c1f8418a047ec7635d166bb" },
  seats: 3,
  first: null,
};
const OTHER_TERMS: readonly Partial<DealtTable["terms"]>[] = [
  { first: 0 },
  { first: 1 },
  { edition: "ravensburger" },
  { expansions: ["rewards"] },
  { expansions: [] },
  { boards: { sha256: "00".repeat(32) } },
  { seats: 4 },
];
const nonces = ["aa".repeat(16), "", "bb".repeat(16)];
const other = "cc".repeat(16);

describe.each(["fair/2", "fair/3"] as const)("%s", (scheme) => {
  const { commitment, deal, committed } = ANSWERS[scheme];

  /** A table where everyone is committed. Computer players show no commitment. */
  const shown = (
    changed: Partial<DealtTable> = {},
    commitments: readonly string[] = committed,
  ): DealtTable => ({
    table: "g1",
    scheme,
    terms: TERMS,
    commitment,
    deal_commitment: deal,
    chairs: commitments.map((one) => ({ commitment: one || null })),
    ending: null,
    ...changed,
  });
  const ended = (seed = SEED, revealed = nonces): DealtTable =>
    shown({ ending: { manner: "played", winners: [0], fair: { seed, nonces: revealed } } });
  const kept = (promised: string | null = deal, nonce = nonces[0]!) => ({ nonce, deal: promised });

  /** What a server could show that replaces the commitment of chair 2, and computes the deal correctly. */
  const replaced = nonceCommitment({ table: "g1", scheme }, commitment, 2, other);

  test("commitments to nonces are those of the known answers", () => {
    const found = nonces.map((one, chair) =>
      nonceCommitment({ table: "g1", scheme }, commitment, chair, one),
    );
    expect(found).toEqual(committed);
  });

  test("before the nonce is revealed, the deal follows from what everyone is shown", () => {
    expect(verifiedDeal(shown(), 0, nonces[0]!)).toBe(deal);
    expect(verifiedDeal(shown(), 2, nonces[2]!)).toBe(deal);
  });

  test.each([
    ["another deal", shown({ deal_commitment: commitment })],
    ["a swapped commitment", shown({}, [committed[2], "", committed[0]])],
    ["another chair's commitment replaced", shown({}, [committed[0], "", replaced])],
    ["a commitment of a computer player", shown({}, [committed[0], replaced, committed[2]])],
    ["a chair left out", shown({}, committed.slice(0, 2))],
    ["another seed", shown({ commitment: replaced })],
    ["no seed", shown({ commitment: null })],
    ["another scheme", shown({ scheme: scheme === "fair/2" ? "fair/3" : "fair/2" })],
    ["no scheme", shown({ scheme: null })],
  ])("a nonce is not revealed for %s", (_, view) => {
    expect(verifiedDeal(view, 0, nonces[0]!)).toBeNull();
    expect(isDealKept(view, 0, kept())).toBe(false);
  });

  test("a nonce is revealed only on the chair that has committed to it", () => {
    expect(verifiedDeal(shown(), 2, nonces[0]!)).toBeNull();
    expect(verifiedDeal(shown(), 1, nonces[0]!)).toBeNull();
    expect(verifiedDeal(shown(), 0, other)).toBeNull();
  });

  test("a deal is proved by the seed and the nonces that were committed to", () => {
    expect(isDealKept(ended(), 0, kept())).toBe(true);
    expect(isDealKept(ended(), 2, kept(deal, nonces[2]))).toBe(true);
    expect(isDealKept(shown(), 0, kept())).toBe(true);
  });

  test.each([
    ["another seed", ended(SEED.replace("00", "01"))],
    ["swapped nonces", ended(SEED, [nonces[2]!, "", nonces[0]!])],
    ["another chair's nonce replaced", ended(SEED, [nonces[0]!, "", other])],
    ["a nonce of a computer player", ended(SEED, [nonces[0]!, other, nonces[2]!])],
    ["the own nonce missing", ended(SEED, ["", "", nonces[2]!])],
    ["the own nonce left out", ended(SEED, ["", nonces[2]!])],
  ])("a deal is not proved with %s", (_, view) => {
    expect(isDealKept(view, 0, kept())).toBe(false);
  });

  test("a deal is not proved without the own nonce on the own chair, whatever the deal", () => {
    expect(isDealKept(ended(), 2, kept())).toBe(false);
    expect(isDealKept(ended(), 0, kept(deal, other))).toBe(false);
    expect(isDealKept(ended(), 0, kept(commitment))).toBe(false);
    expect(isDealKept(ended(), 0, kept(null))).toBe(false);
    expect(isDealKept(ended(), 1, kept(null, ""))).toBe(false);
  });

  test.each(OTHER_TERMS)("the terms %j", (changed) => {
    const terms = { ...TERMS, ...changed };
    const bound = scheme === "fair/3";
    expect(verifiedDeal(shown({ terms }), 0, nonces[0]!)).toBe(bound ? null : deal);
    for (const view of [shown({ terms }), { ...ended(), terms }])
      expect(isDealKept(view, 0, kept())).toBe(!bound);
  });
});

test("under fair/2, the start is compared with the one that was noted", () => {
  const { commitment, deal, committed } = ANSWERS["fair/2"];
  const table = (first: number | null): DealtTable => ({
    table: "g1",
    scheme: "fair/2",
    terms: { ...TERMS, first },
    commitment,
    deal_commitment: deal,
    chairs: committed.map((one) => ({ commitment: one })),
    ending: { manner: "played", winners: [0], fair: { seed: SEED, nonces } },
  });
  const drawn = { nonce: nonces[0]!, deal, first: null };
  expect(isDealKept(table(null), 0, drawn)).toBe(true);
  expect(isDealKept(table(1), 0, drawn)).toBe(false);
  expect(isDealKept(table(1), 0, { ...drawn, first: 1 })).toBe(true);
});

test("under fair/3, the chair that begins is part of the deal", () => {
  const { commitment, committed } = ANSWERS["fair/3"];
  const view: DealtTable = {
    table: "g1",
    scheme: "fair/3",
    terms: { ...TERMS, first: 1 },
    commitment,
    deal_commitment: DEAL_OF_CHAIR_1,
    chairs: committed.map((one) => ({ commitment: one })),
    ending: null,
  };
  expect(verifiedDeal(view, 0, nonces[0]!)).toBe(DEAL_OF_CHAIR_1);
});
