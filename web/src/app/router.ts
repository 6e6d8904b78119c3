/**
 * Addresses of the game's screens, and links.
 *
 *     /                       the start
 *     /#new                   a game is set up
 *     /scores                 a game with the box is counted up
 *     /statistics             what one has played
 *     /daily                  the deal of today
 *     /learn                  the guided first game
 *     /lessons                lessons on strategy
 *     /lessons/LESSON         a position to solve
 *     /table/TABLE            a table at which this browser holds a chair
 *     /join/TABLE#SECRET      take an open chair
 *     /seat/TABLE#SECRET      play from one chair
 *     /watch/TABLE#SECRET     look on
 *     /review/REVIEW          a game looked back at, for whoever knows its id
 *     /replay                 a record, chosen or pasted
 *     /replay#table=TABLE     the game of a table that is over; `&key=SECRET` for who has a link, `&turn=23`
 *     /replay#review=REVIEW   the game of a review
 *
 * The secret stands in the fragment, which a browser sends to nobody: not to the server, and so not to a log.
 */

export const LINKS = ["join", "seat", "watch"] as const;
export type LinkKind = (typeof LINKS)[number];

export type Route =
  | { readonly screen: "start" }
  | { readonly screen: "new" }
  | { readonly screen: (typeof PLAIN)[number] }
  | { readonly screen: "table"; readonly table: string }
  | { readonly screen: LinkKind; readonly table: string; readonly secret: string }
  | { readonly screen: "review"; readonly review: string }
  | { readonly screen: "lesson"; readonly lesson: string }
  | ReplayRoute
  | { readonly screen: "unknown" };

/** A replay: of a table, of a review, or of a record that the reader has. */
export interface ReplayRoute {
  readonly screen: "replay";
  readonly table: string | null;
  readonly secret: string | null;
  readonly review: string | null;
  readonly turn: number | null;
}

/** Screens whose address is their name. */
const PLAIN = ["scores", "statistics", "daily", "learn", "lessons"] as const;
const LESSON = /^[a-z]{1,20}-[0-9]{1,2}$/;
const TABLE = /^[0-9a-f]{16}$/;
const SECRET = /^[A-Za-z0-9_-]{43}$/;

/** What an address shows; `hash` begins with `#`, as in `location.hash`, or is empty. */
export function parseRoute(path: string, hash: string): Route {
  if (path === "/") return { screen: hash === "#new" ? "new" : "start" };
  const plain = PLAIN.find((screen) => path === `/${screen}`);
  if (plain !== undefined) return { screen: plain };
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

/** A link to send to somebody; `site` is where players find the server, `https://play.example.org`. */
export function writeLink(site: string, kind: LinkKind, table: string, secret: string): string {
  return `${site}/${kind}/${table}#${secret}`;
}

const TURN = /^[0-9]{1,2}$/;

/** What is not right is left out: then there is a record to be chosen. */
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

/** The path of a replay. */
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
