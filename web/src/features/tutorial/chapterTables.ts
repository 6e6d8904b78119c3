/** The chapters of the guided game as tables: begun from the record, gone on with, closed when they are done. */
import { Trouble } from "../../net/client";
import type { App } from "../../app/appContext.svelte";
import { drawId } from "../../net/randomIds";
import { tableFrom } from "../../game/continueFromRecord";
import { begun, readProgress, type Chapter, type Progress } from "./tutorial";
import game from "./game.json";

const OPPONENT = "level:1";
/** A computer player may play while a table is being closed: then it is tried again. */
const TRIES = 4;

export function progressOf(app: App): Progress {
  return readProgress(app.settings.guide);
}

/** Lay a chapter out on a table of its own, `instead` of the one that is left. */
export async function beginChapter(app: App, chapter: Chapter, instead = false): Promise<void> {
  const { table: old } = progressOf(app);
  const { turn } = game.chapters[chapter];
  const seats = game.record.setup.gardens.length;
  const plan = { turn, seats, seat: game.seat, name: app.called, player: OPPONENT };
  const keep = (table: string) => app.settings.keepGuide(begun(progressOf(app), chapter, table));
  await app.playAt({ ...tableFrom(game.record, plan), hints: false }, keep, instead);
  if (old !== null) await closeTable(app, old);
}

/** Go on at the table of the chapter that was begun; false if it is not there any more, or over. */
export async function comeBack(app: App, table: string): Promise<boolean> {
  try {
    if ((await app.client.look(table)).stage === "over") return false;
  } catch (trouble) {
    if (!(trouble instanceof Trouble && trouble.status === 404)) throw trouble;
    return false;
  }
  app.go(`/table/${table}`);
  return true;
}

/** End the game of a chapter, which would be played on by nobody; if that fails it stays among one's games. */
export async function closeTable(app: App, table: string): Promise<void> {
  for (let tries = 0; tries < TRIES; tries++) {
    try {
      const { seq, stage } = await app.client.look(table);
      if (stage === "over") break;
      const command = { type: "abandon" as const };
      await app.client.give(table, {
        command_id: drawId(),
        expected_seq: seq,
        command,
        chair: game.seat,
      });
    } catch (trouble) {
      if (!(trouble instanceof Trouble)) throw trouble;
    }
  }
  app.settings.forgetTable(table);
}
