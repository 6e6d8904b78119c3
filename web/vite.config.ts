import { svelte } from "@sveltejs/vite-plugin-svelte";
import { build, type Plugin } from "vite";
import { defineConfig } from "vitest/config";

import type { PageSet } from "./worker/pageSets";
import { BREAKPOINTS, type Breakpoint } from "./src/theme/breakpoints";

/** Leaves the keys out of translated catalogues: they are those of the English one, in the same order. */
const catalogueValues: Plugin = {
  name: "catalogue-values",
  apply: "build",
  enforce: "pre",
  transform(code, id) {
    if (!/i18n\/(features-)?(de|fr|es)\.json$/.test(id)) return null;
    return { code: JSON.stringify(Object.values(JSON.parse(code) as object)), map: null };
  },
};

/** Replaces the names of breakpoints in CSS by the conditions of theme/breakpoints.ts. */
const breakpoints: Plugin = {
  name: "breakpoints",
  enforce: "pre",
  transform(code, id) {
    if (!/\.(css|svelte)$/.test(id)) return null;
    const named = (media: string) =>
      media.replace(/\(--([\w-]+)\)/g, (_, name: Breakpoint) => BREAKPOINTS[name]);
    return { code: code.replace(/@media [^{]*/g, named), map: null };
  },
};

/** Preloads the typefaces, and adds the packages they come from to the licences, where Vite lists only scripts. */
const fonts: Plugin = {
  name: "fonts",
  apply: "build",
  enforce: "post",
  transformIndexHtml: {
    order: "post",
    handler: (_, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((name) => name.endsWith(".woff2"))
        .map((name) => ({
          tag: "link",
          attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${name}`, crossorigin: "" },
          injectTo: "head",
        })),
  },
  generateBundle: {
    order: "post", // after the licences are written
    async handler(_, bundle) {
      const read = (path: string) => this.fs.readFile(path, { encoding: "utf8" });
      const licences = bundle[LICENCES];
      if (licences?.type !== "asset") throw new Error(`${LICENCES} is missing`);
      const sources = Object.values(bundle).flatMap((file) =>
        file.type === "asset" && file.fileName.endsWith(".woff2") ? file.originalFileNames : [],
      );
      const packages = new Set(sources.map((source) => /^.*node_modules\/@[^/]+\/[^/]+/.exec(source)![0]));
      const added = [...packages].sort().map(async (folder) => {
        const { name, version, license: identifier } = JSON.parse(await read(`${folder}/package.json`));
        return { name, version, identifier, text: (await read(`${folder}/LICENSE`)).trim() };
      });
      const listed = JSON.parse(String(licences.source)) as object[];
      licences.source = JSON.stringify([...(await Promise.all(added)), ...listed], null, 2);
    },
  },
};

/** Builds the service worker, with the hash of every file that it stores: the page and its assets, without icons. */
const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  async writeBundle({ dir = "" }, bundle) {
    const stored = Object.values(bundle).filter(({ fileName }) => /^(index\.html$|assets\/)/.test(fileName));
    const hashed = stored.map(async (file): Promise<[string, string]> => {
      const hash = await sha256(file.type === "chunk" ? file.code : file.source);
      return [`/${file.fileName.replace("index.html", "")}`, `sha256-${hash}`];
    });
    const files = Object.fromEntries((await Promise.all(hashed)).sort());
    const version = await sha256(JSON.stringify(files));
    const pages: PageSet = { version, files };
    await build({
      configFile: false,
      logLevel: "warn",
      define: { __PAGES__: JSON.stringify(pages) },
      build: {
        outDir: dir,
        emptyOutDir: false,
        copyPublicDir: false,
        rollupOptions: {
          input: "worker/serviceWorker.ts",
          output: { format: "iife", entryFileNames: "sw.js" },
        },
      },
    });
  },
};

async function sha256(content: string | Uint8Array): Promise<string> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const hash = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes));
  return btoa(String.fromCharCode(...new Uint8Array(hash)));
}

const LICENCES = "licences.json";
const SERVER = "http://127.0.0.1:8017";

export default defineConfig({
  plugins: [breakpoints, svelte(), catalogueValues, fonts, serviceWorker],
  build: {
    outDir: "../src/sanssouci/static",
    emptyOutDir: true,
    target: "baseline-widely-available",
    assetsInlineLimit: 0, // separate files are cached for ever
    manifest: true, // which file imports which; `make speed` measures the game by it
    license: { fileName: LICENCES }, // licence texts of bundled packages; the SBOM lists these packages
    modulePreload: { polyfill: false }, // every browser that Svelte 5 runs in has it
    rolldownOptions: {
      output: {
        // Few files: small ones compress badly, and the service worker lists the hash of each. `core` is loaded by every
        // page, `pieces` by the table and by pages that show a garden, `shared` by other pages only.
        codeSplitting: {
          groups: [
            { name: "core", tags: ["$initial"], priority: 4 },
            {
              name: "pieces",
              test: /src\/(art|board|game|app|features\/tutorial\/tutorial)/,
              minShareCount: 2,
              priority: 3,
            },
            { name: "GameScreen", test: /src\/screens\/game\//, minShareCount: 2, priority: 2 },
            { name: "shared", test: /src\//, minShareCount: 2, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    // For `npm run dev` next to `sanssouci serve`. The server accepts requests from its own origin only.
    proxy: { "/api": { target: SERVER, ws: true, changeOrigin: true, headers: { origin: SERVER } } },
  },
  test: {
    include: ["src/**/*.test.ts", "worker/*.test.ts"],
    environment: "node",
    css: true,
    coverage: {
      include: ["src/**/*.ts", "worker/*.ts"],
      reporter: ["text"],
    },
  },
});
