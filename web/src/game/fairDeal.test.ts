import { expect, test } from "vitest";
import { isDealProved, nonceCommitment, verifiedDeal } from "./fairDeal";

/** The known answers of docs/chance.md. */
const SEED = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, "0")).join("");
const COMMITMENT = "837b2a598338c6d19411ebcc9a674688f2e17a586bf5a3842de56296639ed5f6";
const DEAL = "68bbdcd4d5141f11b5bee8f76322fd9ba83d886a9c11edf97f0d3f4e1431507c";
const nonces = ["aa".repeat(16), "", "bb".repeat(16)];
const ended = (seed: string, nonces: string[], first: number | null = null) => ({
  table: "g1",
  terms: { first },
  ending: { manner: "played" as const, winners: [0], fair: { seed, nonces } },
});

const committed = [
  "f0d185878a9b7ec58a14486c7c497c4482c875e2b8a0403ea94c5865a4008fe7",
  "",
  "6034ba4c99d93f55eff46664af2ffe75a3bee97ed6e001c8848b82fdc8b38193",
];
const other = "cc".repeat(16);

/** A table where everyone is committed. Computer players show no commitment. */
const shown = (commitments: readonly string[], deal = DEAL, commitment: string | null = COMMITMENT) => ({
  table: "g1",
  commitment,
  deal_commitment: deal,
  chairs: commitments.map((one) => ({ commitment: one || null })),
});
const kept = (deal: string | null, nonce = nonces[0]!) => ({ nonce, deal });

/** What a server could show that replaces the commitment of chair 2, and computes the deal correctly. */
const REPLACED = nonceCommitment("g1", COMMITMENT, 2, other);

test("commitments to nonces are those of the known answers", () => {
  expect(nonces.map((nonce, chair) => nonceCommitment("g1", COMMITMENT, chair, nonce))).toEqual(committed);
});

test("before the nonce is revealed, the deal follows from what everyone is shown", () => {
  expect(verifiedDeal(shown(committed), 0, nonces[0]!)).toBe(DEAL);
  expect(verifiedDeal(shown(committed), 2, nonces[2]!)).toBe(DEAL);
});

test.each([
  ["another deal", shown(committed, COMMITMENT)],
  ["a swapped commitment", shown([committed[2]!, "", committed[0]!])],
  ["another chair's commitment replaced", shown([committed[0]!, "", REPLACED])],
  ["a commitment of a computer player", shown([committed[0]!, REPLACED, committed[2]!])],
  ["a chair left out", shown(committed.slice(0, 2))],
  ["another seed", shown(committed, DEAL, REPLACED)],
  ["no seed", shown(committed, DEAL, null)],
])("a nonce is not revealed for %s", (_, view) => {
  expect(verifiedDeal(view, 0, nonces[0]!)).toBeNull();
});

test("a nonce is revealed only on the chair that has committed to it", () => {
  expect(verifiedDeal(shown(committed), 2, nonces[0]!)).toBeNull();
  expect(verifiedDeal(shown(committed), 1, nonces[0]!)).toBeNull();
  expect(verifiedDeal(shown(committed), 0, other)).toBeNull();
});

test("a deal is proved by the seed and the nonces that were committed to", () => {
  expect(isDealProved(ended(SEED, nonces), 0, kept(DEAL))).toBe(true);
  expect(isDealProved(ended(SEED, nonces), 2, kept(DEAL, nonces[2]))).toBe(true);
});

test.each([
  ["another seed", ended(SEED.replace("00", "01"), nonces)],
  ["swapped nonces", ended(SEED, [nonces[2]!, "", nonces[0]!])],
  ["another chair's nonce replaced", ended(SEED, [nonces[0]!, "", other])],
  ["a nonce of a computer player", ended(SEED, [nonces[0]!, other, nonces[2]!])],
  ["the own nonce missing", ended(SEED, ["", "", nonces[2]!])],
  ["the own nonce left out", ended(SEED, ["", nonces[2]!])],
  ["no ending", { table: "g1", terms: { first: null }, ending: null }],
])("a deal is not proved with %s", (_, view) => {
  expect(isDealProved(view, 0, kept(DEAL))).toBe(false);
});

test("a deal is not proved without the own nonce on the own chair, whatever the deal", () => {
  expect(isDealProved(ended(SEED, nonces), 2, kept(DEAL))).toBe(false);
  expect(isDealProved(ended(SEED, nonces), 0, kept(DEAL, other))).toBe(false);
  expect(isDealProved(ended(SEED, nonces), 0, kept(COMMITMENT))).toBe(false);
  expect(isDealProved(ended(SEED, nonces), 0, kept(null))).toBe(false);
});

test("a deal is not proved if another start is claimed than when the nonce was revealed", () => {
  const drawn = { ...kept(DEAL), first: null };
  expect(isDealProved(ended(SEED, nonces), 0, drawn)).toBe(true);
  expect(isDealProved(ended(SEED, nonces, 1), 0, drawn)).toBe(false);
  expect(isDealProved(ended(SEED, nonces, 1), 0, { ...drawn, first: 1 })).toBe(true);
});
