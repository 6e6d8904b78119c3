/**
 * Answers of the server that are kept for when it cannot be reached.
 *
 * Only answers that are named in docs/playing.md are kept: public data, and replays that were opened. Without HTTPS,
 * browsers have no cache, and nothing is kept.
 */

/** As much of the browser's `CacheStorage` as is needed. */
export type Caches = Pick<CacheStorage, "open" | "delete">;

export class AnswerCache {
  constructor(
    private readonly name: string,
    /** How many answers are kept; the oldest are dropped. */
    private readonly most: number,
    private readonly caches: Caches | undefined = globalThis.caches as Caches | undefined,
  ) {}

  /** The answer of the server, or the last one if the server cannot be reached. */
  async load<Answer>(key: string, ask: () => Promise<Answer>): Promise<Answer> {
    try {
      const answer = await ask();
      await this.save(key, answer);
      return answer;
    } catch (error) {
      const kept = isUnreachable(error) ? await this.find<Answer>(key) : undefined;
      if (kept === undefined) throw error;
      return kept;
    }
  }

  async find<Answer>(key: string): Promise<Answer | undefined> {
    return this.attempt(async (cache) => (await (await cache.match(address(key)))?.json()) as Answer);
  }

  /** The matching keys, the newest first. */
  async keys(pattern: RegExp): Promise<readonly string[]> {
    const found = await this.attempt(async (cache) => (await cache.keys()).map(({ url }) => keyOf(url)));
    return (found ?? []).filter((key) => pattern.test(key)).reverse();
  }

  async clear(): Promise<void> {
    await this.caches?.delete(this.name).catch(() => false);
  }

  async save(key: string, answer: unknown): Promise<void> {
    await this.attempt(async (cache) => {
      await cache.delete(address(key)); // it becomes the newest
      await cache.put(address(key), Response.json(answer));
      const keys = await cache.keys();
      for (const old of keys.slice(0, Math.max(0, keys.length - this.most))) await cache.delete(old);
    });
  }

  /** Undefined if there is no cache, or if it is full or forbidden. */
  private async attempt<Result>(action: (cache: Cache) => Promise<Result>): Promise<Result | undefined> {
    try {
      return this.caches && (await action(await this.caches.open(this.name)));
    } catch {
      return undefined;
    }
  }
}

const address = (key: string) => `/kept/${encodeURIComponent(key)}`;
const keyOf = (url: string) => decodeURIComponent(new URL(url).pathname.slice("/kept/".length));

function isUnreachable(error: unknown): boolean {
  return error instanceof Error && "unreachable" in error && error.unreachable === true;
}
