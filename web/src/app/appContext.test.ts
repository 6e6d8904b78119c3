import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { expect, test, vi } from "vitest";

import { App } from "./appContext.svelte";
import { Settings } from "./settings";
import { nonceCommitment } from "../game/fairDeal";

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

test("a nonce is not revealed for a deal that nobody has committed to", async () => {
  const settings = new Settings(null);
  const nonce = "aa".repeat(16);
  const commitment = nonceCommitment("t", SEED, 0, nonce);
  settings.saveNonce({ table: "t", commitment, nonce, deal: null });
  let deal_commitment = "";
  const view = () => ({
    table: "t",
    seq: 7,
    shuffling: true,
    waiting: [0],
    commitment: SEED,
    deal_commitment,
    terms: { first: 1 },
    chairs: [{ commitment }, { commitment: null }],
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

  const parts = ["sanssouci fair/2 deal", "t", SEED, [commitment, ""]];
  deal_commitment = bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts))));
  await app.revealNonces("t", [0]);
  expect(sendCommand).toHaveBeenCalledOnce();
  expect(settings.nonceOf(commitment)).toMatchObject({ deal: deal_commitment, first: 1 });

  settings.saveNonce({ table: "t", commitment, nonce, deal: "another deal" }); // revealed for it before
  await app.revealNonces("t", [0]);
  expect(sendCommand).toHaveBeenCalledOnce();
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
