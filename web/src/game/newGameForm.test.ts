import { describe, expect, test } from "vitest";

import {
  againstComputers,
  chairColours,
  settingsFromForm,
  hasOpenChairs,
  normalized,
  toNewTable,
  formFromSettings,
  chairsInUse,
  type NewGameForm,
} from "./newGameForm";
import { DEFAULTS } from "../app/settings";

const FIRST_PLAN = formFromSettings(DEFAULTS.lastGame);
const called = (chair: number) => `Guest ${chair + 1}`;

describe("a plan", () => {
  test("is at first one person against one computer player, without expansions", () => {
    const asked = toNewTable(FIRST_PLAN, called);
    expect(asked.chairs).toEqual([
      { sitter: "person", name: "Guest 1", colour: "red" },
      { sitter: "computer", player: "level:3" },
    ]);
    expect(asked).toMatchObject({ edition: "ravensburger", expansions: [], visibility: "link", first: null });
  });

  test("sends the file of one's own boards, and no name beside it", () => {
    const own: NewGameForm = { ...FIRST_PLAN, boards: { name: "my box", file: "[boards]" } };
    expect(toNewTable(own, called)).toMatchObject({ boards_file: "[boards]" });
    expect(toNewTable(own, called)).not.toHaveProperty("boards");
    expect(toNewTable({ ...own, boards: "bosquet" }, called)).toMatchObject({ boards: "bosquet" });
    expect(formFromSettings(settingsFromForm(own)).boards).toEqual(own.boards);
  });

  test("keeps chairs that are not at the table for later", () => {
    const three: NewGameForm = { ...FIRST_PLAN, seats: 3 };
    expect(chairsInUse(three)).toHaveLength(3);
    expect(toNewTable(three, called).chairs).toHaveLength(3);
    expect(three.chairs).toHaveLength(4);
  });

  test("waits for people only if a chair that is at the table is open", () => {
    const chairs = FIRST_PLAN.chairs.map((chair, index) =>
      index === 2 ? { ...chair, sitter: "open" as const } : chair,
    );
    expect(hasOpenChairs({ ...FIRST_PLAN, chairs })).toBe(false);
    expect(hasOpenChairs({ ...FIRST_PLAN, chairs, seats: 3 })).toBe(true);
    expect(hasOpenChairs(againstComputers({ ...FIRST_PLAN, chairs, seats: 3 }))).toBe(false);
  });

  test("against computers has no clock and is not listed: those belong to games with others", () => {
    const friends: NewGameForm = { ...FIRST_PLAN, pace: "days", amount: 2, listed: true };
    expect(againstComputers(friends)).toMatchObject({ pace: "none", amount: 0, listed: false });
    const people = friends.chairs.map((chair) => ({ ...chair, sitter: "person" as const }));
    expect(againstComputers({ ...friends, chairs: people })).toMatchObject({ pace: "days", amount: 2 });
  });

  test("gives everyone at this screen a colour: one's own as it was last, others' as chosen, else what is left", () => {
    const people = FIRST_PLAN.chairs.map((chair) => ({ ...chair, sitter: "person" as const }));
    const four: NewGameForm = { ...FIRST_PLAN, seats: 4, chairs: people };
    expect(chairColours(four, null)).toEqual(["red", "blue", "brown", "violet"]);
    expect(chairColours(four, "brown")).toEqual(["brown", "red", "blue", "violet"]);
    const chosen = {
      ...four,
      chairs: people.map((one, at) => (at === 2 ? { ...one, colour: "grey" as const } : one)),
    };
    expect(chairColours(chosen, "grey")).toEqual(["grey", "red", "blue", "brown"]);
    expect(chairColours(chosen, "red")).toEqual(["red", "blue", "grey", "brown"]);
    expect(chairColours({ ...chosen, seats: 2 }, "red")).toEqual(["red", "blue"]);
    expect(toNewTable(chosen, called, "teal").chairs.map((chair) => chair.colour)).toEqual([
      "teal",
      "red",
      "grey",
      "blue",
    ]);
  });

  test("keeps the colours of the others for the next time; one's own is a preference", () => {
    const chairs = FIRST_PLAN.chairs.map((chair) => ({
      ...chair,
      sitter: "person" as const,
      colour: "teal" as const,
    }));
    const [self, other] = settingsFromForm({ ...FIRST_PLAN, chairs }).chairs;
    expect(self).not.toHaveProperty("colour");
    expect(other).toHaveProperty("colour", "teal");
  });

  test("R34: has the wild boar in the imperial edition only", () => {
    const both: NewGameForm = { ...FIRST_PLAN, expansions: ["rewards", "wild_boar"] };
    expect(normalized(both).expansions).toEqual(["rewards"]);
    expect(normalized({ ...both, edition: "imperial" }).expansions).toEqual(["rewards", "wild_boar"]);
  });

  test("has an amount for its clock, and none without one", () => {
    expect(toNewTable({ ...FIRST_PLAN, pace: "turn", amount: 0 }, called).clock).toEqual({
      pace: "turn",
      amount: 60,
    });
    expect(toNewTable({ ...FIRST_PLAN, pace: "none", amount: 300 }, called).clock).toEqual({
      pace: "none",
      amount: 0,
    });
  });

  test("does not let a chair start that is not there", () => {
    expect(normalized({ ...FIRST_PLAN, first: 3 }).first).toBeNull();
    expect(normalized({ ...FIRST_PLAN, first: 1 }).first).toBe(1);
  });

  test("is kept for the next time, but for chairs that were not there", () => {
    const form: NewGameForm = {
      ...FIRST_PLAN,
      seats: 3,
      edition: "imperial",
      expansions: ["wild_boar"],
      listed: true,
      first: 1,
    };
    expect(formFromSettings(settingsFromForm(form))).toEqual(form);
    expect(settingsFromForm(form).chairs).toHaveLength(3);
  });
});
