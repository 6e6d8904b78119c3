import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { describe, expect, test, vi } from "vitest";

import { App } from "./appContext.svelte";
import { Settings } from "./settings";
import { nonceCommitment } from "../game/fairDeal";
import type { TableView } from "../net/types";

/** The server's commitment to its seed. */
const SEED = "5e".repeat(32);

/** The methods of an `App`, without a page around it. */
interface Revealing {
  revealNonces(table: string, chairs: readonly number[]): Promise<void>;
}

function revealing(parts: object): Revealing {
  const { revealNonces, revealOwedNonces, sendForAll } = App.prototype as unknown as Record<string, unknown>;
  return {
    lastReveal: Promise.resolve(),
    revealNonces,
    revealOwedNonces,
    sendForAll,
    ...parts,
  } as unknown as Revealing;
}

test("a nonce is revealed once, though the start page and the list of tables both want to", async () => {
  let owed = true;
  const sendCommand = vi.fn(async () => {
    await new Promise((answered) => setTimeout(answered));
    owed = false;
    return { seq: 8 };
  });
  const tableView = async () => ({ table: "t", seq: 7, shuffling: true, waiting: owed ? [0] : [] });
  const app = revealing({ client: { sendCommand, tableView }, nonceToReveal: () => "nonce" });
  await Promise.all([app.revealNonces("t", [0]), app.revealNonces("t", [0])]);
  expect(sendCommand).toHaveBeenCalledOnce();
});

const TERMS = {
  edition: "imperial",
  expansions: [],
  boards: { name: "bosquet", sha256: "b0".repeat(32) },
  seats: 2,
  first: 1,
};
const hash = (...parts: readonly unknown[]) => bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts))));

test.each(["fair/2", "fair/3"] as const)(
  "a nonce is not revealed for a deal that nobody has committed to (%s)",
  async (scheme) => {
    const settings = new Settings(null);
    const nonce = "aa".repeat(16);
    const commitment = nonceCommitment({ table: "t", scheme }, SEED, 0, nonce);
    settings.saveNonce({ table: "t", commitment, nonce, deal: null });
    let deal_commitment = "";
    let first = 1;
    const view = () => ({
      table: "t",
      seq: 7,
      shuffling: true,
      waiting: [0],
      scheme,
      commitment: SEED,
      deal_commitment,
      terms: { ...TERMS, first },
      chairs: [{ commitment }, { commitment: null }],
      ending: null,
    });
    const sendCommand = vi.fn(async () => ({ seq: 8 }));
    const showError = vi.fn();
    const { nonceToReveal } = App.prototype;
    const client = { sendCommand, tableView: async () => view() };
    const app = revealing({ client, settings, showError, nonceToReveal });

    await app.revealNonces("t", [0]);
    expect(sendCommand).not.toHaveBeenCalled();
    expect(showError).toHaveBeenCalledOnce();
    expect(settings.hasRevealed("t")).toBe(false);

    const terms = scheme === "fair/3" ? [["imperial", [], "b0".repeat(32), 2, 1]] : [];
    deal_commitment = hash(`sanssouci ${scheme} deal`, "t", SEED, [commitment, ""], ...terms);
    if (scheme === "fair/3") {
      first = 0; // other terms than those that the server has committed to
      await app.revealNonces("t", [0]);
      expect(sendCommand).not.toHaveBeenCalled();
      first = 1;
    }
    await app.revealNonces("t", [0]);
    expect(sendCommand).toHaveBeenCalledOnce();
    const noted = scheme === "fair/2" ? { first: 1 } : {};
    expect(settings.nonceOf(commitment)).toEqual({
      table: "t",
      commitment,
      nonce,
      deal: deal_commitment,
      ...noted,
    });

    settings.saveNonce({ table: "t", commitment, nonce, deal: "another deal" }); // revealed for it before
    await app.revealNonces("t", [0]);
    expect(sendCommand).toHaveBeenCalledOnce();
  },
);

test("the deal is compared with the one for which this browser has revealed its nonce", () => {
  const settings = new Settings(null);
  const { dealStatus } = App.prototype;
  const app = { settings, dealStatus } as unknown as App;
  const nonce = "aa".repeat(16);
  const commitment = nonceCommitment({ table: "t", scheme: "fair/3" }, SEED, 0, nonce);
  const terms = ["imperial", [], "b0".repeat(32), 2, 1];
  const deal = hash("sanssouci fair/3 deal", "t", SEED, [commitment, ""], terms);
  const view = (changed: object = {}) =>
    ({
      table: "t",
      stage: "playing",
      scheme: "fair/3",
      commitment: SEED,
      deal_commitment: deal,
      terms: TERMS,
      chairs: [{ commitment }, { commitment: null }],
      ending: null,
      you: { chair: 0 },
      ...changed,
    }) as unknown as TableView;
  expect(app.dealStatus(view())).toBeNull();

  settings.saveNonce({ table: "t", commitment, nonce, deal });
  expect(app.dealStatus(view())).toBe("end.fair_noted");
  expect(app.dealStatus(view({ terms: { ...TERMS, first: null } }))).toBe("end.fair_broken");
  expect(app.dealStatus(view({ chairs: [{ commitment: SEED }, { commitment: null }] }))).toBe(
    "end.fair_unknown",
  );
  expect(app.dealStatus(view({ stage: "lobby", chairs: [{ commitment: null }] }))).toBeNull();
  expect(app.dealStatus(view({ you: { chair: null } }))).toBeNull();
  expect(app.dealStatus(view({ ending: { fair: null } }))).toBeNull();
  const fair = { seed: "00".repeat(32), nonces: [nonce, ""] };
  expect(app.dealStatus(view({ ending: { fair } }))).toBe("end.fair_broken");
});

describe("getting ready", () => {
  /** An `App` that has set up the table "own". */
  function newApp() {
    const settings = new Settings(null);
    const showError = vi.fn();
    const { noteScheme, noteNewTable, readyCommand } = App.prototype;
    const known = { schemes: new Map(), newTables: new Set() };
    const app = { settings, showError, noteScheme, noteNewTable, readyCommand, ...known } as unknown as App;
    app.noteNewTable("own");
    return { app, settings, showError };
  }
  const person = { sitter: "person" };
  const lobby = (changed: object) =>
    ({
      table: "t",
      scheme: "fair/3",
      commitment: SEED,
      terms: TERMS,
      chairs: [person, person],
      ...changed,
    }) as unknown as TableView;

  test.each(["fair/2", "fair/3"] as const)("commits to a nonce and keeps it (%s)", (scheme) => {
    const { app, settings } = newApp();
    const command = app.readyCommand(lobby({ scheme }), 1);
    const kept = settings.nonceOf((command as { commitment: string }).commitment)!;
    expect(command).toEqual({ type: "ready", commitment: kept.commitment });
    expect(kept.commitment).toBe(nonceCommitment({ table: "t", scheme }, SEED, 1, kept.nonce));
  });

  test("sends a nonce that nobody needs for the garden of a day", () => {
    const { app } = newApp();
    const chairs = [person, { sitter: "computer" }];
    const daily = (table: string) =>
      lobby({ table, scheme: "fair/1", terms: { ...TERMS, daily: "2026-11-16" }, chairs });
    expect(app.readyCommand(daily("t"), 0)).toEqual({ type: "ready", nonce: "00".repeat(16) });
    expect(app.readyCommand(daily("own"), 0)).toBeNull();
    app.noteScheme(lobby({ table: "seen" }));
    expect(app.readyCommand(daily("seen"), 0)).toBeNull();
  });

  test("sends a nonce at once only at a table that may be of an earlier version", () => {
    const { app, settings, showError } = newApp();
    const old = (table: string) => lobby({ table, scheme: "fair/1" });
    for (let times = 0; times < 2; times++)
      expect(app.readyCommand(old("t"), 0)).toMatchObject({ type: "ready", nonce: expect.any(String) });
    expect(showError).not.toHaveBeenCalled();

    expect(app.readyCommand(old("own"), 0)).toBeNull();
    settings.saveNonce({ table: "before", commitment: "c", nonce: "n", deal: null });
    expect(app.readyCommand(old("before"), 0)).toBeNull();
    expect(app.readyCommand(lobby({ table: "u", scheme: "fair/9" }), 0)).toBeNull();
    expect(app.readyCommand(lobby({ table: "v", commitment: null }), 0)).toBeNull();
    expect(showError).toHaveBeenCalledTimes(4);
  });

  test("is refused at a table that was seen under another scheme", () => {
    const { app, showError } = newApp();
    app.noteScheme(lobby({}));
    for (const scheme of ["fair/1", "fair/2"]) expect(app.readyCommand(lobby({ scheme }), 0)).toBeNull();
    expect(showError).toHaveBeenCalledTimes(2);
    expect(app.readyCommand(lobby({}), 0)).not.toBeNull();
  });
});

test("a reveal that fails does not keep the next one back", async () => {
  const tableView = vi
    .fn()
    .mockRejectedValueOnce(new Error("offline"))
    .mockResolvedValue({ table: "t", seq: 7, shuffling: false, waiting: [] });
  const app = revealing({ client: { tableView } });
  await expect(app.revealNonces("t", [0])).rejects.toThrow("offline");
  await app.revealNonces("t", [0]);
  expect(tableView).toHaveBeenCalledTimes(2);
});
