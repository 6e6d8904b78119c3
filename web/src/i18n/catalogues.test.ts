import { describe, expect, test } from "vitest";

import featuresDe from "./features-de.json";
import featuresEn from "./features-en.json";
import featuresEs from "./features-es.json";
import featuresFr from "./features-fr.json";
import de from "./de.json";
import en from "./en.json";
import es from "./es.json";
import fr from "./fr.json";

type Catalogues = readonly [Record<string, string>, Record<string, Record<string, string>>];
const MAIN: Catalogues = [en, { de, fr, es }];
const FEATURES: Catalogues = [featuresEn, { de: featuresDe, fr: featuresFr, es: featuresEs }];
/** Sources that are loaded together with the feature catalogues. */
const FEATURE_SOURCES = /\/features\//;
/** All sources except catalogues and tests. */
const PROGRAM = import.meta.glob<string>(["../**/*.{svelte,ts}", "!../**/*.test.ts", "!../**/*.d.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

const placeholders = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(([found]) => found).sort();

describe.each([MAIN, FEATURES])("catalogues", (english, others) => {
  test.each(Object.keys(others))("%s has the same keys and placeholders as English", (language) => {
    const other = others[language]!;
    expect(Object.keys(other)).toEqual(Object.keys(english));
    for (const [key, sentence] of Object.entries(english)) {
      expect(placeholders(other[key]!), key).toEqual(placeholders(sentence));
    }
  });

  test.each(Object.keys(others))("%s is translated", (language) => {
    const words = (sentence: string) => sentence.replace(/\{\w+\}/g, "").match(/[a-z]{3,}/g) ?? [];
    const same = Object.entries(english).filter(([key, sentence]) => others[language]![key] === sentence);
    expect(same.filter(([, sentence]) => words(sentence).length > 1)).toEqual([]);
  });

  test("keys are sorted, and no text is empty", () => {
    for (const catalogue of [english, ...Object.values(others)]) {
      expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).sort());
      expect(Object.values(catalogue).filter((sentence) => sentence.trim() === "")).toEqual([]);
    }
  });

  test("French has no-break spaces before its punctuation", () => {
    const wrong = Object.values(others["fr"]!).filter((sentence) => /[^\u00a0][;!?»]| :/.test(sentence));
    expect(wrong).toEqual([]);
  });

  test("every text is used", () => {
    const program = Object.values(PROGRAM).join("\n");
    expect(Object.keys(english).filter((key) => !isUsed(key, program))).toEqual([]);
  });
});

test.each([featuresEn, featuresFr, featuresEs])(
  "no sentence begins with a motif, which is in lower case",
  (texts) => {
    expect(Object.values(texts).filter((text) => /(^|[.!?] )\{motif\}/.test(text))).toEqual([]);
  },
);

test("German has one word for a reward board, and reviews name no computer player", () => {
  expect(Object.values({ ...de, ...featuresDe }).filter((text) => text.includes("Belohnungsplan"))).toEqual(
    [],
  );
  const skill = [featuresEn, featuresDe, featuresFr, featuresEs].map(
    (texts) => texts["review.skill_and_luck_why"],
  );
  expect(skill.filter((text) => /steward|Verwalter|intendant|mayordomo/.test(text))).toEqual([]);
});

test("no key is in two catalogues", () => {
  expect(Object.keys(featuresEn).filter((key) => key in en)).toEqual([]);
});

test("texts used at the table are not in the feature catalogues", () => {
  const atTable = Object.entries(PROGRAM).filter(([path]) => !FEATURE_SOURCES.test(path));
  const program = atTable.map(([, text]) => text).join("\n");
  expect(Object.keys(featuresEn).filter((key) => isUsed(key, program))).toEqual([]);
});

function isUsed(key: string, program: string): boolean {
  const stem = key.replace(/\.(one|other)$/, "");
  const beginnings = [...stem.matchAll(/[._]/g)].map(({ index }) => stem.slice(0, index + 1));
  return (
    [stem, key].some((text) => program.includes(`"${text}"`)) ||
    beginnings.some((beginning) => program.includes("`" + beginning + "${"))
  );
}
