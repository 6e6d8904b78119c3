/**
 * Routes and links.
 *
 *     /                       start
 *     /#new                   new game
 *     /rules                  start, with the rules open; `/rules#R20` at a rule
 *     /scores                 score sheet for a physical game
 *     /boards                 board editor
 *     /boards#name=…          shared boards
 *     /statistics             the user's statistics
 *     /daily                  daily game
 *     /learn                  tutorial
 *     /lessons                lessons
 *     /lessons/LESSON         one lesson
 *     /table/TABLE            a table, from the chairs of this browser
 *     /join/TABLE#SECRET      take an open chair
 *     /seat/TABLE#SECRET      take a chair over
 *     /watch/TABLE#SECRET     watch
 *     /review/REVIEW          a review
 *     /replay                 a record to open
 *     /replay#table=TABLE     a finished game; with `&key=SECRET` from a link, `&turn=23`
 *     /replay#review=REVIEW   the game of a review
 *
 * Secrets are in the fragment, which browsers do not send to servers, so they cannot end up in a log.
 */

export const LINKS = ["join", "seat", "watch"] as const;
export type LinkKind = (typeof LINKS)[number];

export type Route =
  | { readonly screen: "start" }
  | { readonly screen: "new" }
  | { readonly screen: (typeof PLAIN)[number] }
  | { readonly screen: "table"; readonly table: string }
  | { readonly screen: LinkKind; readonly table: string; readonly secret: string }
  | { readonly screen: "boards"; readonly shared: string }
  | { readonly screen: "review"; readonly review: string }
  | { readonly screen: "lesson"; readonly lesson: string }
  | ReplayRoute
  | { readonly screen: "unknown" };

/** A replay of a table, of a review, or of a record that the user opens. */
export interface ReplayRoute {
  readonly screen: "replay";
  readonly table: string | null;
  readonly secret: string | null;
  readonly review: string | null;
  readonly turn: number | null;
}

/** Screens whose path is their name. */
const PLAIN = ["scores", "statistics", "daily", "learn", "lessons"] as const;
const LESSON = /^[a-z]{1,20}-[0-9]{1,2}$/;
const TABLE = /^[0-9a-f]{16}$/;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** The route of an address; `hash` is `location.hash`. */
export function parseRoute(path: string, hash: string): Route {
  if (path === "/rules") return { screen: "start" };
  if (path === "/") return { screen: hash === "#new" ? "new" : "start" };
  const plain = PLAIN.find((screen) => path === `/${screen}`);
  if (plain !== undefined) return { screen: plain };
  if (path === "/boards") return { screen: "boards", shared: hash.slice(1) };
  if (path === "/replay") return parseReplay(new URLSearchParams(hash.slice(1)));
  const [, screen, table = "", ...rest] = path.split("/");
  if (screen === "review" && rest.length === 0 && SECRET.test(table)) return { screen, review: table };
  if (screen === "lessons" && rest.length === 0 && LESSON.test(table))
    return { screen: "lesson", lesson: table };
  if (rest.length > 0 || !TABLE.test(table)) return { screen: "unknown" };
  if (screen === "table") return { screen, table };
  const secret = hash.slice(1);
  const kind = LINKS.find((link) => link === screen);
  if (kind === undefined || !SECRET.test(secret)) return { screen: "unknown" };
  return { screen: kind, table, secret };
}

/** A link to share; `site` is the server's public address, `https://play.example.org`. */
export function writeLink(site: string, kind: LinkKind, table: string, secret: string): string {
  return `${site}/${kind}/${table}#${secret}`;
}

const TURN = /^[0-9]{1,2}$/;

/** Invalid fields are ignored; then the user chooses a record. */
function parseReplay(fields: URLSearchParams): ReplayRoute {
  const field = (name: string, form: RegExp) =>
    [fields.get(name)].find((text) => form.test(text ?? "")) ?? null;
  const turn = field("turn", TURN);
  return {
    screen: "replay",
    table: field("table", TABLE),
    secret: field("key", SECRET),
    review: field("review", SECRET),
    turn: turn === null ? null : Number(turn),
  };
}

export function replayPath({
  table = null,
  secret = null,
  review = null,
  turn = null,
}: Partial<Omit<ReplayRoute, "screen">>): string {
  const fields = [
    ...(table === null ? [] : [`table=${table}`]),
    ...(secret === null ? [] : [`key=${secret}`]),
    ...(review === null ? [] : [`review=${review}`]),
    ...(turn === null ? [] : [`turn=${turn}`]),
  ];
  return fields.length > 0 ? `/replay#${fields.join("&")}` : "/replay";
}
