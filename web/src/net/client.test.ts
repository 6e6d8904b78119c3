import { expect, it } from "vitest";

import { Client, ApiError } from "./client";

/** A server with three pages of tables; table b has moved from the first to the second page meanwhile. */
function fakeFetch(asked: string[]): typeof fetch {
  const pages: Record<string, { tables: { table: string }[]; next: string | null }> = {
    "/api/tables": { tables: [{ table: "a" }, { table: "b" }], next: "1~b" },
    "/api/tables?after=1~b": { tables: [{ table: "b" }, { table: "c" }], next: "0~c" },
    "/api/tables?after=0~c": { tables: [{ table: "d" }], next: null },
  };
  return (path) => {
    asked.push(String(path));
    return Promise.resolve(Response.json(pages[String(path)]));
  };
}

it.each([
  [1, ["a", "b"], true],
  [2, ["a", "b", "c"], true],
  [9, ["a", "b", "c", "d"], false],
])("at most %i pages of tables are loaded, without duplicates", async (most, names, more) => {
  const asked: string[] = [];
  const found = await new Client(fakeFetch(asked)).openTables(most);
  expect(found.tables.map(({ table }) => table)).toEqual(names);
  expect(found.more).toBe(more);
  expect(asked).toHaveLength(Math.min(most, 3));
});

it.each([
  ["before the response", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["in the middle of the response", () => Promise.resolve(new Response('{"name": "A'))],
])("a connection that fails %s is an ApiError", async (_, fetch) => {
  const asked = new Client(fetch).me();
  await expect(asked).rejects.toBeInstanceOf(ApiError);
  await expect(asked).rejects.toMatchObject({ unreachable: true });
});
