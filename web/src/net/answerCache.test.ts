import { beforeEach, expect, it } from "vitest";

import { AnswerCache, type Caches } from "./answerCache";
import { ApiError, Client } from "./client";

const ORIGIN = "https://play.example.org";
const offline = () => Promise.reject(new ApiError(0, { code: "unreachable", rule: null, sentence: "" }));
let caches: Caches;

/** The browser's caches, in memory. */
function fakeCaches(): Caches {
  const all = new Map<string, Map<string, Response>>();
  return {
    open: (name: string) => {
      const stored = all.get(name) ?? new Map<string, Response>();
      all.set(name, stored);
      const path = (key: string | { url: string }) =>
        typeof key === "string" ? key : key.url.slice(ORIGIN.length);
      return Promise.resolve({
        match: async (key: string) => stored.get(key)?.clone(),
        put: async (key: string, response: Response) => void stored.set(key, response),
        delete: async (key: string | { url: string }) => stored.delete(path(key)),
        keys: async () => [...stored.keys()].map((key) => ({ url: ORIGIN + key })),
      } as unknown as Cache);
    },
    delete: async (name: string) => all.delete(name),
  };
}

beforeEach(() => {
  caches = fakeCaches();
});

it("an answer is kept for when the server cannot be reached", async () => {
  const cache = new AnswerCache("test", 9, caches);
  await expect(cache.load("rules en", offline)).rejects.toBeInstanceOf(ApiError);
  expect(await cache.load("rules en", async () => ({ rule: 1 }))).toEqual({ rule: 1 });
  expect(await cache.load("rules en", async () => ({ rule: 2 }))).toEqual({ rule: 2 });
  expect(await cache.load("rules en", offline)).toEqual({ rule: 2 });
  await expect(cache.load("rules de", offline)).rejects.toBeInstanceOf(ApiError);
});

it("a refusal is not replaced by a kept answer", async () => {
  const cache = new AnswerCache("test", 9, caches);
  await cache.load("record", async () => 1);
  const refused = new ApiError(404, { code: "server.unknown_table", rule: null, sentence: "" });
  await expect(cache.load("record", () => Promise.reject(refused))).rejects.toBe(refused);
});

it("the oldest answers are dropped, and all are when the guest is forgotten", async () => {
  const cache = new AnswerCache("test", 2, caches);
  for (const key of ["record/a", "record/b", "record/a", "steps/ä c"]) await cache.load(key, async () => key);
  expect(await cache.keys(/./)).toEqual(["steps/ä c", "record/a"]);
  expect(await cache.keys(/^record\//)).toEqual(["record/a"]);
  await cache.clear();
  expect(await cache.keys(/./)).toEqual([]);
  expect(await cache.find("record/a")).toBeUndefined();
});

it("answers are not kept where the browser has no cache", async () => {
  const cache = new AnswerCache("test", 2, undefined);
  expect(await cache.load("a", async () => 1)).toBe(1);
  await expect(cache.load("a", offline)).rejects.toBeInstanceOf(ApiError);
  await cache.clear();
});

it("only public answers are kept by the client, for each language", async () => {
  let online = true;
  const fetch = () =>
    online ? Promise.resolve(Response.json({ name: "Ada" })) : Promise.reject(new TypeError());
  const client = new Client(fetch, undefined, new AnswerCache("public", 99, caches));
  await Promise.all([client.rules("imperial"), client.me(), client.record("t"), client.boards("bosquet")]);
  online = false;
  expect(await client.rules("imperial")).toEqual({ name: "Ada" });
  expect(await client.boards("bosquet")).toEqual({ name: "Ada" });
  await expect(client.me()).rejects.toMatchObject({ unreachable: true });
  await expect(client.record("t")).rejects.toMatchObject({ unreachable: true });
  client.language = "de";
  await expect(client.boards("bosquet")).rejects.toMatchObject({ unreachable: true });
});

it("the client reports whether the server can be reached", async () => {
  const answers = [
    () => Promise.reject(new TypeError()),
    () => Promise.resolve(Response.json({})),
    () => Promise.resolve(new Response("Bad gateway", { status: 502 })), // a proxy without its server
    () => Promise.resolve(Response.json({ error: {} }, { status: 404 })),
  ];
  const seen: boolean[] = [];
  const client = new Client(() => answers.shift()!());
  client.onconnection = (reached) => seen.push(reached);
  while (answers.length > 0) await client.me().catch(() => {});
  expect(seen).toEqual([false, true, false, true]);
});
