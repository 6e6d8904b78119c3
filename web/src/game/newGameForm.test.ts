import { expect, test } from "vitest";

import {
  againstComputers,
  chairColours,
  settingsFromForm,
  hasOpenChairs,
  hostName,
  normalized,
  toNewTable,
  formFromSettings,
  chairsInUse,
  type ChairForm,
  type NewGameForm,
} from "./newGameForm";
import { DEFAULTS } from "../app/settings";

const DEFAULT_FORM = formFromSettings(DEFAULTS.lastGame);
const defaultName = (chair: number) => `Guest ${chair + 1}`;

test("the default form is one person against one computer player, without expansions", () => {
  const asked = toNewTable(DEFAULT_FORM, defaultName);
  expect(asked.chairs).toEqual([
    { sitter: "person", name: "Guest 1", colour: "red" },
    { sitter: "computer", player: "level:3" },
  ]);
  expect(asked).toMatchObject({ edition: "ravensburger", expansions: [], visibility: "link", first: null });
});

test("a form sends the file of custom boards instead of a name", () => {
  const own: NewGameForm = { ...DEFAULT_FORM, boards: { name: "my box", file: "[boards]" } };
  expect(toNewTable(own, defaultName)).toMatchObject({ boards_file: "[boards]" });
  expect(toNewTable(own, defaultName)).not.toHaveProperty("boards");
  expect(toNewTable({ ...own, boards: "bosquet" }, defaultName)).toMatchObject({ boards: "bosquet" });
  expect(formFromSettings(settingsFromForm(own)).boards).toEqual(own.boards);
});

test("a form keeps the values of unused chairs", () => {
  const three: NewGameForm = { ...DEFAULT_FORM, seats: 3 };
  expect(chairsInUse(three)).toHaveLength(3);
  expect(toNewTable(three, defaultName).chairs).toHaveLength(3);
  expect(three.chairs).toHaveLength(4);
});

test("a form needs a lobby only if a used chair is open", () => {
  const chairs = DEFAULT_FORM.chairs.map((chair, index) =>
    index === 2 ? { ...chair, sitter: "open" as const } : chair,
  );
  expect(hasOpenChairs({ ...DEFAULT_FORM, chairs })).toBe(false);
  expect(hasOpenChairs({ ...DEFAULT_FORM, chairs, seats: 3 })).toBe(true);
  expect(hasOpenChairs(againstComputers({ ...DEFAULT_FORM, chairs, seats: 3 }))).toBe(false);
});

test("a form against computers has no clock and is not listed", () => {
  const friends: NewGameForm = { ...DEFAULT_FORM, pace: "days", amount: 2, listed: true };
  expect(againstComputers(friends)).toMatchObject({ pace: "none", amount: 0, listed: false });
  const people = friends.chairs.map((chair) => ({ ...chair, sitter: "person" as const }));
  expect(againstComputers({ ...friends, chairs: people })).toMatchObject({ pace: "days", amount: 2 });
});

test("everyone at this screen gets a colour: the preferred, the chosen, or a free one", () => {
  const people = DEFAULT_FORM.chairs.map((chair) => ({ ...chair, sitter: "person" as const }));
  const four: NewGameForm = { ...DEFAULT_FORM, seats: 4, chairs: people };
  expect(chairColours(four, null)).toEqual(["red", "blue", "brown", "violet"]);
  expect(chairColours(four, "brown")).toEqual(["brown", "red", "blue", "violet"]);
  const chosen = {
    ...four,
    chairs: people.map((one, at) => (at === 2 ? { ...one, colour: "grey" as const } : one)),
  };
  expect(chairColours(chosen, "grey")).toEqual(["grey", "red", "blue", "brown"]);
  expect(chairColours(chosen, "red")).toEqual(["red", "blue", "grey", "brown"]);
  expect(chairColours({ ...chosen, seats: 2 }, "red")).toEqual(["red", "blue"]);
  expect(toNewTable(chosen, defaultName, "teal").chairs.map((chair) => chair.colour)).toEqual([
    "teal",
    "red",
    "grey",
    "blue",
  ]);
});

test("the settings keep the colours of other people; the user's own is a preference", () => {
  const chairs = DEFAULT_FORM.chairs.map((chair) => ({
    ...chair,
    sitter: "person" as const,
    colour: "teal" as const,
  }));
  const [self, other] = settingsFromForm({ ...DEFAULT_FORM, chairs }).chairs;
  expect(self).not.toHaveProperty("colour");
  expect(other).toHaveProperty("colour", "teal");
});

test("R34: the wild boar is in the imperial edition only", () => {
  const both: NewGameForm = { ...DEFAULT_FORM, expansions: ["rewards", "wild_boar"] };
  expect(normalized(both).expansions).toEqual(["rewards"]);
  expect(normalized({ ...both, edition: "imperial" }).expansions).toEqual(["rewards", "wild_boar"]);
});

test("a clock always has an amount, and no clock has none", () => {
  expect(toNewTable({ ...DEFAULT_FORM, pace: "turn", amount: 0 }, defaultName).clock).toEqual({
    pace: "turn",
    amount: 60,
  });
  expect(toNewTable({ ...DEFAULT_FORM, pace: "none", amount: 300 }, defaultName).clock).toEqual({
    pace: "none",
    amount: 0,
  });
});

test("an unused chair cannot start", () => {
  expect(normalized({ ...DEFAULT_FORM, first: 3 }).first).toBeNull();
  expect(normalized({ ...DEFAULT_FORM, first: 1 }).first).toBe(1);
});

test("the settings of a form lead back to it, without unused chairs", () => {
  const form: NewGameForm = {
    ...DEFAULT_FORM,
    seats: 3,
    edition: "imperial",
    expansions: ["wild_boar"],
    listed: true,
    first: 1,
  };
  expect(formFromSettings(settingsFromForm(form))).toEqual(form);
  expect(settingsFromForm(form).chairs).toHaveLength(3);
});

test("the name typed for the own chair is the user's from then on", () => {
  const [own, ...others] = DEFAULT_FORM.chairs as [ChairForm, ...ChairForm[]];
  expect(hostName(DEFAULT_FORM)).toBe("");
  expect(hostName({ ...DEFAULT_FORM, chairs: [{ ...own, name: " Wilhelmine " }, ...others] })).toBe(
    "Wilhelmine",
  );
  const watching = { ...DEFAULT_FORM, chairs: [{ ...others[0]!, name: "Ada" }, ...others] };
  expect(hostName(watching)).toBe("");
});
