import { afterEach, expect, test } from "vitest";

import { tn, t, i18n } from "./i18n.svelte";

afterEach(() => i18n.setLanguage("en"));

test.each([
  ["en", ["0 open chairs", "1 open chair", "2 open chairs"]],
  ["de", ["0 freie Stühle", "1 freier Stuhl", "2 freie Stühle"]],
  ["fr", ["0 chaise libre", "1 chaise libre", "2 chaises libres"]],
  ["es", ["0 sillas libres", "1 silla libre", "2 sillas libres"]],
] as const)("%s has the right plural of none, one and two", async (language, counted) => {
  await i18n.setLanguage(language);
  expect([0, 1, 2].map((number) => tn("chairs.open", number))).toEqual(counted);
});

test.each([
  ["en", ["+4.3", "+1.0", "−0.5", "0.0"]],
  ["de", ["+4,3", "+1,0", "−0,5", "0,0"]],
] as const)("%s writes gains and losses with their sign", async (language, written) => {
  await i18n.setLanguage(language);
  expect([4.3, 1, -0.5, -0.04].map((points) => i18n.gain(points))).toEqual(written);
});

test.each([
  ["Ada", "d’Ada"],
  ["Élise", "d’Élise"],
  ["Henriette", "d’Henriette"],
  ["Berta", "de Berta"],
  ["a3", "de a3"],
])("French shortens “de” before a name with a vowel: %s", async (name, written) => {
  await i18n.setLanguage("fr");
  expect(t("seat.garden_of", { name })).toBe(`Le jardin ${written}`);
});

test("placeholders are replaced; missing ones stay", () => {
  expect(t("turn.to_square", { square: "e5" })).toContain("e5");
  expect(t("turn.to_square")).toContain("{square}");
});
