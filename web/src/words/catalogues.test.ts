import { describe, expect, test } from "vitest";

import de from "./de.json";
import en from "./en.json";
import es from "./es.json";
import fr from "./fr.json";

const OTHERS: Record<string, Record<string, string>> = { de, fr, es };
/** All of the program but the catalogues and the tests. */
const PROGRAM = import.meta.glob<string>(["../**/*.{svelte,ts}", "!../**/*.test.ts", "!../**/*.d.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

const placeholders = (sentence: string) => [...sentence.matchAll(/\{\w+\}/g)].map(([found]) => found).sort();

describe("catalogues", () => {
  test.each(Object.keys(OTHERS))("%s says all that English says, with the same details", (language) => {
    const other = OTHERS[language]!;
    expect(Object.keys(other)).toEqual(Object.keys(en));
    for (const [key, sentence] of Object.entries(en)) {
      expect(placeholders(other[key]!), key).toEqual(placeholders(sentence));
    }
  });

  test("keys are sorted, and nothing is empty", () => {
    for (const catalogue of [en, ...Object.values(OTHERS)]) {
      expect(Object.keys(catalogue)).toEqual(Object.keys(catalogue).sort());
      expect(Object.values(catalogue).filter((sentence) => sentence.trim() === "")).toEqual([]);
    }
  });

  test("French puts no-break spaces before its signs", () => {
    expect(Object.values(fr).filter((sentence) => /[^\u00a0][;!?»]| :/.test(sentence))).toEqual([]);
  });

  test("every sentence is used", () => {
    const program = Object.values(PROGRAM).join("\n");
    const used = (key: string) => {
      const stem = key.replace(/\.(one|other)$/, "");
      const beginnings = [...stem.matchAll(/[._]/g)].map(({ index }) => stem.slice(0, index + 1));
      return (
        [stem, key].some((text) => program.includes(`"${text}"`)) ||
        beginnings.some((beginning) => program.includes("`" + beginning + "${"))
      );
    };
    expect(Object.keys(en).filter((key) => !used(key))).toEqual([]);
  });
});
