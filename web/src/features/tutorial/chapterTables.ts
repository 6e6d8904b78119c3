/** The tables of the tutorial: each chapter is played at a table that starts from a position of a record. */
import { ApiError } from "../../net/client";
import type { App } from "../../app/appContext.svelte";
import { randomId } from "../../net/randomIds";
import { tableFromRecord } from "../../game/continueFromRecord";
import { withBegun, readProgress, type Chapter, type TutorialProgress } from "./tutorial";
import game from "./game.json";

const OPPONENT = "level:1";
/** Attempts to close a table; one fails if a computer player plays meanwhile. */
const TRIES = 4;

export function progressOf(app: App): TutorialProgress {
  return readProgress(app.settings.tutorial.value);
}

/** Start a chapter at a new table and close the table of the previous one; `replace` as in `App.navigate`. */
export async function beginChapter(app: App, chapter: Chapter, replace = false): Promise<void> {
  const { table: old } = progressOf(app);
  const { turn } = game.chapters[chapter];
  const seats = game.record.setup.gardens.length;
  const plan = { turn, seats, seat: game.seat, name: app.displayName, player: OPPONENT };
  const save = (table: string) => app.settings.tutorial.save(withBegun(progressOf(app), chapter, table));
  await app.openTable({ ...tableFromRecord(game.record, plan), hints: false }, save, replace);
  if (old !== null) await closeTable(app, old);
}

/** Open the table of a chapter again; false if it was deleted or is over. */
export async function resumeTable(app: App, table: string): Promise<boolean> {
  try {
    if ((await app.client.tableView(table)).stage === "over") return false;
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) throw error;
    return false;
  }
  app.navigate(`/table/${table}`);
  return true;
}

/** Abandon the game of a chapter; if that fails it stays in the user's list. */
export async function closeTable(app: App, table: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const { seq, stage } = await app.client.tableView(table);
      if (stage === "over") break;
      const command = { type: "abandon" as const };
      await app.client.sendCommand(table, {
        command_id: randomId(),
        expected_seq: seq,
        command,
        chair: game.seat,
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }
  app.settings.forgetTable(table);
}
