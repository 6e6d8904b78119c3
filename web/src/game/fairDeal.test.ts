import { expect, test } from "vitest";
import { isDealProved, nonceCommitment } from "./fairDeal";

/** The known answers of docs/chance.md. */
const SEED = Array.from({ length: 32 }, (_, at) => at.toString(16).padStart(2, "0")).join("");
const COMMITMENT = "837b2a598338c6d19411ebcc9a674688f2e17a586bf5a3842de56296639ed5f6";
const DEAL = "68bbdcd4d5141f11b5bee8f76322fd9ba83d886a9c11edf97f0d3f4e1431507c";
const nonces = ["aa".repeat(16), "", "bb".repeat(16)];
const ended = (seed: string, nonces: string[]) => ({
  table: "g1",
  ending: { manner: "played" as const, winners: [0], fair: { seed, nonces } },
});

test("commitments to nonces are those of the known answers", () => {
  expect(nonces.map((nonce, chair) => nonceCommitment("g1", COMMITMENT, chair, nonce))).toEqual([
    "f0d185878a9b7ec58a14486c7c497c4482c875e2b8a0403ea94c5865a4008fe7",
    "",
    "6034ba4c99d93f55eff46664af2ffe75a3bee97ed6e001c8848b82fdc8b38193",
  ]);
});

test("a deal is proved by the seed and the nonces that were committed to, and by no others", () => {
  expect(isDealProved(ended(SEED, nonces), DEAL)).toBe(true);
  expect(isDealProved(ended(SEED.replace("00", "01"), nonces), DEAL)).toBe(false);
  expect(isDealProved(ended(SEED, [nonces[2]!, "", nonces[0]!]), DEAL)).toBe(false);
  expect(isDealProved(ended(SEED, nonces), COMMITMENT)).toBe(false);
  expect(isDealProved({ table: "g1", ending: null }, DEAL)).toBe(false);
});
