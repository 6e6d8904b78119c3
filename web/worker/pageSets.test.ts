import { beforeEach, describe, expect, it } from "vitest";

import { PageSets, type PageSet } from "./pageSets";

const path = (request: RequestInfo | URL) =>
  new URL(request instanceof Request ? request.url : request, ORIGIN).pathname;
const ORIGIN = "https://play.example.org";
/** What the server answers. */
let server: Record<string, string>;
/** How many of the next requests get no answer. */
let lost = 0;

class FakeCache {
  readonly stored = new Map<string, string>();

  addAll(requests: readonly { path: string; integrity: string }[]): Promise<void> {
    if (lost-- > 0) return Promise.reject(new TypeError("connection lost"));
    for (const request of requests) {
      if (server[request.path] !== request.integrity) return Promise.reject(new TypeError(request.path));
      this.stored.set(request.path, request.integrity);
    }
    return Promise.resolve();
  }

  async put(key: string, response: Response): Promise<void> {
    this.stored.set(key, await response.text());
  }

  match(key: string): Promise<Response | undefined> {
    const text = this.stored.get(path(key));
    return Promise.resolve(text === undefined ? undefined : new Response(text));
  }

  keys = () => Promise.resolve([...this.stored.keys()].map((key) => ({ url: ORIGIN + key })));
  delete = (key: string) => Promise.resolve(this.stored.delete(key));
}

class FakeCaches {
  readonly all = new Map<string, FakeCache>();

  open(name: string): Promise<FakeCache> {
    const cache = this.all.get(name) ?? new FakeCache();
    this.all.set(name, cache);
    return Promise.resolve(cache);
  }

  async match(key: string, { cacheName }: { cacheName?: string } = {}): Promise<Response | undefined> {
    for (const [name, cache] of this.all) {
      const found = cacheName === undefined || cacheName === name ? await cache.match(key) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  keys = () => Promise.resolve([...this.all.keys()]);
  delete = (name: string) => Promise.resolve(this.all.delete(name));
}

const OLD: PageSet = { version: "1", files: { "/": "old", "/assets/a-1.js": "a1", "/icon.png": "i" } };
const NEW: PageSet = { version: "2", files: { "/": "new", "/assets/a-2.js": "a2", "/icon.png": "i" } };

describe("page sets", () => {
  let caches: FakeCaches;
  const sets = (set: PageSet) => new PageSets(set, caches as unknown as CacheStorage);
  const text = async (response: Promise<Response | undefined>) => (await response)?.text();

  beforeEach(() => {
    caches = new FakeCaches();
    server = { ...OLD.files };
    lost = 0;
    // Node's Request has no relative addresses.
    globalThis.Request = class {
      constructor(
        readonly path: string,
        readonly options: { integrity: string },
      ) {}
      get integrity(): string {
        return this.options.integrity;
      }
    } as unknown as typeof Request;
  });

  it("opens every screen, but nothing of the server", () => {
    for (const screen of ["/", "/scores", "/table/0123456789abcdef", "/nowhere", "/apiary"])
      expect(sets(OLD).isScreen(screen), screen).toBe(true);
    for (const other of ["/api/me", "/api", "/assets/a-1.js", "/health", "/metrics", "/icon.png"])
      expect(sets(OLD).isScreen(other), other).toBe(false);
    expect(sets(OLD).isFile("/assets/other.js")).toBe(true);
    expect(sets(OLD).isFile("/")).toBe(false);
    expect(sets(OLD).isFile("/api/me")).toBe(false);
  });

  it("stores all files or none", async () => {
    server["/assets/a-1.js"] = "another version";
    await expect(sets(OLD).install()).rejects.toThrow();
    expect(caches.all.size).toBe(0);
    server = { ...OLD.files };
    await sets(OLD).install();
    expect(await text(sets(OLD).page("x"))).toBe("old");
    expect(await text(sets(OLD).file("/icon.png"))).toBe("i");
    expect(await sets(OLD).file("/assets/other.js")).toBeUndefined();
  });

  it("asks again if a connection is lost", async () => {
    lost = 2;
    await sets(OLD).install();
    expect(await text(sets(OLD).page("x"))).toBe("old");
    lost = 3;
    await expect(sets(NEW).install()).rejects.toThrow("connection lost");
  });

  it("keeps the set of a page until it is closed", async () => {
    await sets(OLD).install();
    await sets(OLD).page("old-page");
    server = { ...NEW.files };
    await sets(NEW).install();
    await sets(OLD).removeUnused(["old-page"]);
    await sets(NEW).activate();
    await sets(NEW).removeUnused(["old-page"]);
    expect(await text(sets(NEW).page("new-page"))).toBe("new");
    expect(await text(sets(NEW).file("/assets/a-1.js"))).toBe("a1");
    await sets(NEW).removeUnused(["new-page"]);
    expect(await sets(NEW).file("/assets/a-1.js")).toBeUndefined();
    expect(await text(sets(NEW).file("/assets/a-2.js"))).toBe("a2");
  });

  it("may return to an earlier version", async () => {
    await sets(OLD).install();
    await sets(OLD).page("old-page");
    server = { ...NEW.files };
    await sets(NEW).install();
    await sets(NEW).activate();
    server = { ...OLD.files };
    await sets(OLD).install(); // it waits
    await sets(NEW).removeUnused([]);
    expect(await text(sets(OLD).page("x"))).toBe("old");
    await sets(OLD).activate();
    await sets(OLD).removeUnused(["x"]);
    expect(await sets(OLD).file("/assets/a-2.js")).toBeUndefined();
  });
});
