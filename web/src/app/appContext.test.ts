import { expect, test, vi } from "vitest";

import { App } from "./appContext.svelte";

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
  const app = revealing({ client: { sendCommand, tableView }, keptNonce: () => "nonce" });
  await Promise.all([app.revealNonces("t", [0]), app.revealNonces("t", [0])]);
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
