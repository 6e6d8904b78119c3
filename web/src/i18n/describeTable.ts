/** The settings and players of a table in words. */
import type { App } from "../app/appContext.svelte";
import type { ChairView, Edition, Expansion, ListedTable, Terms } from "../net/types";
import { normalized, chairsInUse, type NewGameForm } from "../game/newGameForm";
import { capitalize, tn, t, i18n } from "./i18n.svelte";

interface Played {
  readonly edition: Edition;
  readonly expansions: readonly Expansion[];
  readonly clock?: Terms["clock"];
  readonly boards?: { readonly name: string };
}

/** `Imperial edition, with rewards and wild boar`, then boards other than the default ones, and the clock if any. */
export function describeGame(app: App, { edition, expansions, clock, boards }: Played): string {
  const names = app.namesOf(edition);
  const added = expansions.map((one) => names.expansion(one));
  const parts = [
    t(`edition.${edition}`),
    added.length === 0 ? t("terms.base") : t("terms.with", { expansions: i18n.list(added) }),
  ];
  const usual = app.serverInfo?.editions.find((one) => one.edition === edition)?.boards;
  if (boards !== undefined && usual !== undefined && boards.name !== usual)
    parts.push(
      t("terms.boards", { name: boards.name === "reference" ? t("boards.reference") : boards.name }),
    );
  if (clock !== undefined && clock.pace !== "none")
    parts.push(unbroken(t("terms.clock", { span: describeSpan(clock.pace, clock.amount) })));
  return parts.join("\u00a0· ");
}

/** `30 seconds`, `2 days`, in the format of the language. */
export function describeSpan(pace: "turn" | "days", amount: number): string {
  const whole = amount % 60 === 0;
  const unit = pace === "days" ? "day" : whole ? "minute" : "second";
  const format = new Intl.NumberFormat(i18n.language, { style: "unit", unit, unitDisplay: "long" });
  return format.format(unit === "minute" ? amount / 60 : amount);
}

/** As `describeGame`, for the form of a new game. */
export function describeForm(app: App, form: NewGameForm): string {
  const { edition, expansions, boards, pace, amount } = normalized(form);
  const named = typeof boards === "string" ? { name: boards } : boards;
  const played = { edition, expansions, clock: { pace, amount } };
  return describeGame(app, named === null ? played : { ...played, boards: named });
}

/** `You against Henriette and two open chairs`. */
export function describeChairs(app: App, form: NewGameForm): string {
  const chairs = chairsInUse(form);
  const people = chairs.filter((chair) => chair.sitter === "person");
  const computers = chairs.filter((chair) => chair.sitter === "computer");
  const open = chairs.filter((chair) => chair.sitter === "open").length;
  const others = computers.map((chair) => app.playerOf(chair.player).name);
  if (people.length > 1) others.unshift(tn("chairs.more_people", people.length - 1));
  if (open > 0) others.push(tn("chairs.guests", open));
  return people.length === 0
    ? t("chairs.without_you", { others: i18n.list(others) })
    : t("chairs.against", { others: i18n.list(others) });
}

/** The names at a table, and the number of open chairs. */
export function describePlayers(chairs: ListedTable["chairs"] | readonly ChairView[]): string {
  const names = chairs.filter((chair) => chair.sitter !== "open").map((chair) => chair.name);
  const open = chairs.length - names.length;
  return i18n.list(open === 0 ? names : [...names, tn("chairs.open", open)]);
}

/** `3 hours ago`; `at` is in seconds, by the clock of the server. */
export function describeAgo(at: number, now = Date.now() / 1000): string {
  const format = new Intl.RelativeTimeFormat(i18n.language, { numeric: "auto" });
  const minutes = Math.round((at - now) / 60);
  if (minutes >= 0) return t("just_now");
  if (minutes > -60) return format.format(minutes, "minute");
  if (minutes > -60 * 24) return format.format(Math.round(minutes / 60), "hour");
  return format.format(Math.round(minutes / 60 / 24), "day");
}

/** `2 days left`; `until` is in seconds, by the clock of this computer. */
export function describeTimeLeft(until: number, now = Date.now() / 1000): string {
  const seconds = Math.max(0, until - now);
  const [amount, unit] =
    seconds >= 2 * 86_400
      ? [Math.round(seconds / 86_400), "day"]
      : seconds >= 2 * 3600
        ? [Math.round(seconds / 3600), "hour"]
        : [Math.ceil(seconds / 60), "minute"];
  const format = new Intl.NumberFormat(i18n.language, { style: "unit", unit, unitDisplay: "long" });
  return t("stage.left", { span: format.format(amount) });
}

/** The name of a set of boards, as an option. */
export function boardsName(name: string): string {
  return name === "reference" ? t("boards.reference") : capitalize(name);
}

export { capitalize } from "./i18n.svelte";

/** With no-break spaces. */
const unbroken = (text: string): string => text.replaceAll(" ", "\u00a0");
