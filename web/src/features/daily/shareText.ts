/** The result of a daily game in words, and as a text to share. */
import type { App } from "../../app/appContext.svelte";
import { describeGame } from "../../i18n/describeTable";
import { gardenLines, type DailyEnd, type DailyGame } from "./dailyGames";
import type { Part } from "../../game/gameResult";
import { formatPoints } from "../../i18n/formatPoints";
import { tn, t, type MessageKey } from "../../i18n/i18n.svelte";

/** `Won 47 : 39`. */
export function resultLine(end: DailyEnd): string {
  const words = { total: end.total, other: end.other };
  if (end.gaveUp) return t("daily.gave_up");
  if (end.won) return t(end.shared ? "daily.shared" : "daily.won", words);
  return t("daily.lost", words);
}

/** Whether an address works only on the server's own computer. */
const isLocal = (site: string) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(site).hostname);

/** The result in lines of text: what was played, how it ended, and the points by part, each with its number. */
export function resultLines(app: App, { day }: DailyGame, end: DailyEnd): readonly string[] {
  const parts = Object.entries(end.parts).filter(([, number]) => number !== 0);
  return [
    `Sanssouci · ${t("nav.daily")} ${day}`,
    describeGame(app, end),
    `${resultLine(end)} (${t("daily.against", { opponent: app.playerOf("level:4").name })})`,
    parts
      .map(([part, number]) => `${t(`score.${part as Part}` as MessageKey)}\u00a0${formatPoints(number)}`)
      .join(" · "),
    ...(end.takenBack > 0 ? [tn("daily.taken_back", end.takenBack)] : []),
  ];
}

/** The text to share: the result, the garden, and a link. */
export function shareText(app: App, game: DailyGame, end: DailyEnd, site: string): string {
  const link = isLocal(site) ? [] : ["", `${site}/daily`];
  return [...resultLines(app, game, end), "", ...gardenLines(end.plan), ...link].join("\n");
}
