/**
 * The pages in the browser's cache, one set for each version.
 *
 * A set is stored as a whole or not at all. A page keeps its own set until it is closed or reloaded, so that it never
 * mixes files of two versions.
 */

/** One version of the pages. */
export interface PageSet {
  readonly version: string;
  /** The hash of each file by its path, for subresource integrity. */
  readonly files: Readonly<Record<string, string>>;
}

const PREFIX = "sanssouci-pages-";
/** Which set each open page uses, and which sets have been replaced by a newer version. */
const USES = "sanssouci-page-uses";
/** The page of every screen. */
const INDEX = "/";
/** How many files are requested at a time, and how often before the installation fails. */
const GROUP = 6;
const ATTEMPTS = 3;
/** Paths that the server answers itself. */
const SERVER = /^\/(api|assets|health|ready|metrics)(\/|$)/;

export class PageSets {
  private readonly name: string;

  constructor(
    private readonly set: PageSet,
    private readonly caches: CacheStorage,
  ) {
    this.name = PREFIX + set.version;
  }

  /** Store all files. If one is missing or has another hash, because the server has changed, nothing is stored. */
  async install(): Promise<void> {
    const requests = Object.entries(this.set.files).map(
      ([path, integrity]) => new Request(path, { integrity, cache: "no-cache" }),
    );
    try {
      const cache = await this.caches.open(this.name);
      for (let first = 0; first < requests.length; first += GROUP)
        await addGroup(cache, requests.slice(first, first + GROUP));
      await (await this.caches.open(USES)).delete(replacedPath(this.name));
    } catch (error) {
      await this.caches.delete(this.name);
      throw error;
    }
  }

  /** Whether a path is a screen of the app. */
  isScreen(path: string): boolean {
    return path === INDEX || !(SERVER.test(path) || path in this.set.files);
  }

  isFile(path: string): boolean {
    return path.startsWith("/assets/") || (path !== INDEX && path in this.set.files);
  }

  /** The page of this version for a new client; undefined if the browser has removed it. */
  async page(client: string): Promise<Response | undefined> {
    await (await this.caches.open(USES)).put(clientPath(client), new Response(this.name));
    return this.caches.match(INDEX, { cacheName: this.name, ignoreVary: true });
  }

  /** A file: of this version, or else of an older one whose pages are still open. */
  async file(path: string): Promise<Response | undefined> {
    const own = await this.caches.match(path, { cacheName: this.name, ignoreVary: true });
    return own ?? this.caches.match(path, { ignoreVary: true });
  }

  /** This version takes over: all other sets are older. */
  async activate(): Promise<void> {
    const uses = await this.caches.open(USES);
    for (const name of await this.caches.keys())
      if (name.startsWith(PREFIX) && name !== this.name) await uses.put(replacedPath(name), new Response());
  }

  /** Delete the sets that were replaced and that no open page uses. A newer one that waits stays. */
  async removeUnused(openClients: readonly string[]): Promise<void> {
    const uses = await this.caches.open(USES);
    const paths = (await uses.keys()).map(({ url }) => new URL(url).pathname);
    const open = new Set(openClients.map(clientPath));
    const used = new Set<string | undefined>();
    for (const path of paths.filter((one) => one.startsWith(clientPath(""))))
      if (open.has(path)) used.add(await (await uses.match(path))?.text());
      else await uses.delete(path);
    for (const name of await this.caches.keys()) {
      if (!paths.includes(replacedPath(name)) || used.has(name)) continue;
      await this.caches.delete(name);
      await uses.delete(replacedPath(name));
    }
  }
}

/** One lost connection does not lose the whole set. */
async function addGroup(cache: Cache, requests: readonly Request[]): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await cache.addAll([...requests]);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

const clientPath = (client: string) => `/clients/${client}`;
const replacedPath = (name: string) => `/replaced/${encodeURIComponent(name)}`;
