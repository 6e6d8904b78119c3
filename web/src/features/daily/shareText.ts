/** The result of a daily garden in words, and as a text that can be pasted anywhere. */
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

/** What is played: edition and expansions. */
export function terms(app: App, played: Pick<DailyEnd, "edition" | "expansions">): string {
  const clock = { pace: "none" as const, amount: 0 };
  return describeGame(app, { edition: played.edition, expansions: [...played.expansions], clock });
}

/** Whether an address leads to the reader's own computer, wherever it is read. */
const isHere = (site: string) => ["localhost", "127.0.0.1", "[::1]"].includes(new URL(site).hostname);

/** The whole text. */
export function shareText(app: App, { day }: DailyGame, end: DailyEnd, site: string): string {
  const parts = Object.entries(end.parts).filter(([, number]) => number !== 0);
  const lines = [
    `Sanssouci · ${t("daily.title")} ${day}`,
    terms(app, end),
    `${resultLine(end)} (${t("daily.against", { opponent: app.playerOf("level:4").name })})`,
    parts
      .map(([part, number]) => `${t(`score.${part as Part}` as MessageKey)} ${formatPoints(number)}`)
      .join(" · "),
    ...(end.takenBack > 0 ? [tn("daily.taken_back", end.takenBack)] : []),
    "",
    ...gardenLines(end.plan),
    ...(isHere(site) ? [] : ["", `${site}/daily`]),
  ];
  return lines.join("\n");
}
