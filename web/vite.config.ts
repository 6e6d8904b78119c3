import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

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

const SERVER = "http://127.0.0.1:8017";

export default defineConfig({
  plugins: [breakpoints, svelte(), catalogueValues],
  build: {
    outDir: "../src/sanssouci/static",
    emptyOutDir: true,
    target: "baseline-widely-available",
    assetsInlineLimit: 0, // separate files are cached for ever
    license: { fileName: "licences.json" }, // licence texts of bundled packages; the SBOM lists these packages
    modulePreload: { polyfill: false }, // every browser that Svelte 5 runs in has it
  },
  server: {
    // For `npm run dev` next to `sanssouci serve`. The server accepts requests from its own origin only.
    proxy: { "/api": { target: SERVER, ws: true, changeOrigin: true, headers: { origin: SERVER } } },
  },
  test: {
    include: ["src/**/*.test.ts"],
    environment: "node",
    css: true,
    coverage: {
      include: ["src/**/*.ts"],
      reporter: ["text"],
    },
  },
});
