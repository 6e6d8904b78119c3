/** What is played, and by whom, in words. */
import type { App } from "../app/appContext.svelte";
import type { ChairView, ListedTable, Terms } from "../net/types";
import { mended, seated, type Plan } from "../game/newGameForm";
import { count, say, speech } from "./i18n.svelte";

type Played = Pick<Terms, "edition" | "expansions" | "clock"> & {
  readonly boards?: { readonly name: string };
};

/** `Imperial edition, with rewards and wild boar`, boards that are not the usual ones, and the clock if there is one. */
export function describePlayed(app: App, { edition, expansions, clock, boards }: Played): string {
  const names = app.namesOf(edition);
  const added = expansions.map((one) => names.expansion(one));
  const parts = [
    say(`edition.${edition}`),
    added.length === 0 ? say("terms.base") : say("terms.with", { expansions: speech.all(added) }),
  ];
  const usual = app.house?.editions.find((one) => one.edition === edition)?.boards;
  if (boards !== undefined && usual !== undefined && boards.name !== usual)
    parts.push(say("terms.boards", { name: boards.name }));
  if (clock.pace !== "none")
    parts.push(unbroken(say("terms.clock", { span: describeSpan(clock.pace, clock.amount) })));
  return parts.join(" · ");
}

/** `30 seconds`, `2 days`, as the language writes it. */
export function describeSpan(pace: "turn" | "days", amount: number): string {
  const whole = amount % 60 === 0;
  const unit = pace === "days" ? "day" : whole ? "minute" : "second";
  const format = new Intl.NumberFormat(speech.language, { style: "unit", unit, unitDisplay: "long" });
  return format.format(unit === "minute" ? amount / 60 : amount);
}

/** The same of a table that is still being planned. */
export function describePlan(app: App, plan: Plan): string {
  const { edition, expansions, boards, pace, amount } = mended(plan);
  const named = typeof boards === "string" ? { name: boards } : boards;
  const played = { edition, expansions: [...expansions], clock: { pace, amount } };
  return describePlayed(app, named === null ? played : { ...played, boards: named });
}

/** `You against Henriette and two open chairs`. */
export function describeChairs(app: App, plan: Plan): string {
  const chairs = seated(plan);
  const people = chairs.filter((chair) => chair.sitter === "person");
  const computers = chairs.filter((chair) => chair.sitter === "computer");
  const open = chairs.filter((chair) => chair.sitter === "open").length;
  const others = computers.map((chair) => app.playerOf(chair.player).name);
  if (people.length > 1) others.unshift(count("chairs.more_people", people.length - 1));
  if (open > 0) others.push(count("chairs.guests", open));
  return people.length === 0
    ? say("chairs.without_you", { others: speech.all(others) })
    : say("chairs.against", { others: speech.all(others) });
}

/** The names at a table, as a list; open chairs are counted. */
export function describeSitters(chairs: ListedTable["chairs"] | readonly ChairView[]): string {
  const names = chairs.filter((chair) => chair.sitter !== "open").map((chair) => chair.name);
  const open = chairs.length - names.length;
  return speech.all(open === 0 ? names : [...names, count("chairs.open", open)]);
}

/** `3 hours ago`; `at` is in seconds, as the server has it. */
export function describeMoment(at: number, now = Date.now() / 1000): string {
  const format = new Intl.RelativeTimeFormat(speech.language, { numeric: "auto" });
  const minutes = Math.round((at - now) / 60);
  if (minutes >= 0) return say("moment.now");
  if (minutes > -60) return format.format(minutes, "minute");
  if (minutes > -60 * 24) return format.format(Math.round(minutes / 60), "hour");
  return format.format(Math.round(minutes / 60 / 24), "day");
}

/** `2 days left`; `until` is a moment of this clock. */
export function describeLeft(until: number, now = Date.now() / 1000): string {
  const seconds = Math.max(0, until - now);
  const [amount, unit] =
    seconds >= 2 * 86_400
      ? [Math.round(seconds / 86_400), "day"]
      : seconds >= 2 * 3600
        ? [Math.round(seconds / 3600), "hour"]
        : [Math.ceil(seconds / 60), "minute"];
  const format = new Intl.NumberFormat(speech.language, { style: "unit", unit, unitDisplay: "long" });
  return say("stage.left", { span: format.format(amount) });
}

export { capital } from "./i18n.svelte";

/** On one line, wherever the line ends. */
const unbroken = (text: string): string => text.replaceAll(" ", "\u00a0");
