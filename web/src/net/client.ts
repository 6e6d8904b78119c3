/** HTTP client: one function per route; every failure is an ApiError. */
import { AnswerCache } from "./answerCache";
import type {
  Boards,
  DraftAnswer,
  DraftBody,
  CommandAnswer,
  Created,
  Daily,
  Edition,
  GivenCommand,
  Hint,
  ServerInfo,
  Join,
  Reach,
  Language,
  Lesson,
  LessonEntry,
  ListedTable,
  NewTable,
  OwnTable,
  PastPosition,
  Player,
  Problem,
  RealTable,
  Review,
  Rules,
  Scores,
  Seated,
  Statistics,
  Steps,
  TableRecord,
  TableView,
  Ticket,
  LessonResult,
  Words,
} from "./types";

/** An error response, or a failed connection (status 0). */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly problem: Problem,
    readonly retryAfter: number | null = null,
  ) {
    super(problem.sentence);
  }

  /** Whether there was no response, so that the request may be repeated. */
  get unreachable(): boolean {
    return this.status === 0;
  }
}

type Fetch = typeof fetch;

/** Responses of a proxy whose server does not answer. */
const GATEWAY_ERRORS = [502, 504];
/** How many public answers are kept: a dozen for each language. */
const PUBLIC_ANSWERS = 60;

/** How many pages of the user's tables are loaded. */
const OWN_PAGES = 5;

interface Page<Table> {
  readonly tables: readonly Table[];
  readonly more: boolean;
}

/** Sends requests in one language, as the guest of the browser's cookie or with the secret of a link. */
export class Client {
  language: Language = "en";
  /** Seconds by which the server's clock is ahead. */
  clockOffset = 0;
  /** Called after every request: whether the server answered. */
  onconnection: (reached: boolean) => void = () => {};

  constructor(
    private readonly fetch: Fetch = (...args) => globalThis.fetch(...args),
    /** The message when the server cannot be reached. */
    private readonly unreachable: () => string = () => "the server does not answer",
    /** Answers that are the same for everyone. */
    private readonly publicAnswers = new AnswerCache("sanssouci-public", PUBLIC_ANSWERS),
  ) {}

  me = () => this.request<{ name: string | null }>("GET", "/api/me");
  becomeGuest = (name: string) =>
    this.request<{ name: string }>("POST", "/api/guests", { name, cookie: true });
  rename = (name: string) => this.request<{ name: string }>("PATCH", "/api/me", { name });
  deleteGuest = () => this.request<unknown>("DELETE", "/api/me");
  statistics = () => this.request<Statistics>("GET", "/api/me/statistics");
  deleteStatistics = () => this.request<unknown>("DELETE", "/api/me/statistics");
  myTables = () => this.pages<OwnTable>("/api/me/tables", OWN_PAGES).then(({ tables }) => tables);
  openTables = (pages: number) => this.pages<ListedTable>("/api/tables", pages);
  /** Tables that anyone may watch. */
  runningTables = () =>
    this.request<{ tables: ListedTable[] }>("GET", "/api/tables?begun=true").then(({ tables }) => tables);

  reach = () => this.request<Reach>("GET", "/api/reach");
  openToNetwork = () => this.request<Reach>("POST", "/api/reach");
  serverInfo = () => this.publicAnswer<ServerInfo>("/api/editions");
  players = () => this.publicAnswer<{ players: Player[] }>("/api/players").then((answer) => answer.players);
  editionWords = (edition: Edition) =>
    this.publicAnswer<Words>(`/api/editions/${edition}/words?language=${this.language}`);
  rules = (edition: Edition) =>
    this.publicAnswer<Rules>(`/api/editions/${edition}/rules?language=${this.language}`);

  create = (table: NewTable) => this.request<Created>("POST", "/api/tables", table);
  daily = () => this.request<Daily>("GET", "/api/daily");
  startDaily = () => this.request<Created>("POST", "/api/daily");
  lessons = (edition: Edition) =>
    this.request<{ lessons: LessonEntry[] }>("GET", `/api/lessons?edition=${edition}`).then(
      ({ lessons }) => lessons,
    );
  lesson = (lesson: string, edition: Edition) =>
    this.request<Lesson>("GET", `/api/lessons/${lesson}?edition=${edition}`);
  answerLesson = (lesson: string, edition: Edition, turn: string | null) =>
    this.request<LessonResult>("POST", `/api/lessons/${lesson}/answer?edition=${edition}`, { turn });
  tableView = (table: string, key?: string, chair?: number) =>
    this.request<TableView>(
      "GET",
      `/api/tables/${table}${chair === undefined ? "" : `?chair=${chair}`}`,
      undefined,
      key,
    );
  pastPosition = (table: string, turn: number, chair: number | null, key?: string) =>
    this.request<PastPosition>(
      "GET",
      `/api/tables/${table}/past/${turn}${chair === null ? "" : `?chair=${chair}`}`,
      undefined,
      key,
    );
  join = (table: string, seat: Join, key?: string) =>
    this.request<Seated>("POST", `/api/tables/${table}/seats`, seat, key);
  renewTableLink = (table: string, link: "join" | "watch") =>
    this.request<{ token: string }>("POST", `/api/tables/${table}/links/${link}`);
  renewSeatLink = (table: string, chair: number) =>
    this.request<Seated>("POST", `/api/tables/${table}/seats/${chair}/link`);
  sendCommand = (table: string, given: GivenCommand, key?: string) =>
    this.request<CommandAnswer>("POST", `/api/tables/${table}/commands`, given, key);
  claimSeat = (table: string, chair: number, key: string) =>
    this.request<Seated>("POST", `/api/tables/${table}/seats/${chair}/claim`, undefined, key);
  ticket = (table: string, chair: number | null, key?: string) =>
    this.request<Ticket>("POST", `/api/tables/${table}/tickets`, chair === null ? {} : { chair }, key);
  hint = (table: string, chair: number | null, key?: string) =>
    this.request<Hint>("POST", `/api/tables/${table}/hint`, chair === null ? {} : { chair }, key);
  scores = (table: RealTable) => this.request<Scores>("POST", "/api/scores", table);
  boards = (name: string) => this.publicAnswer<Boards>(`/api/boards/${name}`);
  checkBoards = (file: string) => this.request<Boards>("POST", "/api/boards", { file });
  checkDraft = (draft: DraftBody) => this.request<DraftAnswer>("POST", "/api/boards/draft", draft);
  record = (table: string, key?: string) =>
    this.request<TableRecord>("GET", `/api/tables/${table}/record`, undefined, key);
  /** The positions of a record. It is sent as written, so that the server can report where it is wrong. */
  steps = (record: string) => this.request<Steps>("POST", "/api/records/steps", record);

  reviewTable = (table: string, key?: string) =>
    this.request<{ review: string }>("POST", `/api/tables/${table}/review`, undefined, key);
  reviewRecord = (record: string) => this.request<{ review: string }>("POST", "/api/reviews", record);
  review = (review: string) => this.request<Review>("GET", `/api/reviews/${review}`);
  reviewSteps = (review: string) => this.request<Steps>("GET", `/api/reviews/${review}/steps`);
  reviewAgain = (review: string) => this.request<unknown>("POST", `/api/reviews/${review}/again`);
  deleteReview = (review: string) => this.request<unknown>("DELETE", `/api/reviews/${review}`);

  /** The first pages of a list, without duplicates: a table may move to another page meanwhile. */
  private async pages<Table extends { readonly table: string }>(
    path: string,
    most: number,
  ): Promise<Page<Table>> {
    const found = new Map<string, Table>();
    let next: string | null = null;
    for (let page = 0; page === 0 || (page < most && next !== null); page++) {
      const query: string = next === null ? "" : `?after=${encodeURIComponent(next)}`;
      const answer: { tables: Table[]; next: string | null } = await this.request("GET", path + query);
      for (const table of answer.tables) if (!found.has(table.table)) found.set(table.table, table);
      next = answer.next;
    }
    return { tables: [...found.values()], more: next !== null };
  }

  private publicAnswer<Answer>(path: string): Promise<Answer> {
    return this.publicAnswers.load(`${this.language} ${path}`, () => this.request<Answer>("GET", path));
  }

  private async request<Answer>(method: string, path: string, body?: unknown, key?: string): Promise<Answer> {
    const headers: Record<string, string> = { "Accept-Language": this.language };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key !== undefined) headers["X-Sanssouci-Key"] = key;
    const sent = body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) };
    const answer = await this.orUnreachable(this.fetch(path, { method, headers, ...sent }));
    if (GATEWAY_ERRORS.includes(answer.status)) throw this.connectionError();
    this.onconnection(true);
    const date = Date.parse(answer.headers.get("Date") ?? "");
    if (!Number.isNaN(date)) this.clockOffset = (date - Date.now()) / 1000;
    if (answer.ok) return (await this.orUnreachable(answer.json())) as Answer;
    throw await apiError(answer);
  }

  /** The connection can fail before the response or while its body is read. */
  private async orUnreachable<Result>(response: Promise<Result>): Promise<Result> {
    try {
      return await response;
    } catch {
      throw this.connectionError();
    }
  }

  private connectionError(): ApiError {
    this.onconnection(false);
    return new ApiError(0, { code: "unreachable", rule: null, sentence: this.unreachable() });
  }
}

async function apiError(answer: Response): Promise<ApiError> {
  const wait = Number(answer.headers.get("Retry-After"));
  const said = (await answer.json().catch(() => null)) as { error?: Problem } | null;
  const problem = said?.error ?? { code: "unreadable", rule: null, sentence: `${answer.status}` };
  return new ApiError(answer.status, problem, wait || null);
}
