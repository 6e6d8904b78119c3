import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { BREAKPOINTS, type Breakpoint } from "./src/theme/breakpoints";

/** Catalogues have the same keys in the same order: the browser has those of English, and needs none of the others. */
const sentencesAlone: Plugin = {
  name: "sentences-alone",
  apply: "build",
  enforce: "pre",
  transform(code, id) {
    if (!/i18n\/(features-)?(de|fr|es)\.json$/.test(id)) return null;
    return { code: JSON.stringify(Object.values(JSON.parse(code) as object)), map: null };
  },
};

/** Puts the conditions of theme/breakpoints.ts in the place of their names. */
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
  plugins: [breakpoints, svelte(), sentencesAlone],
  build: {
    outDir: "../src/sanssouci/static",
    emptyOutDir: true,
    target: "baseline-widely-available",
    assetsInlineLimit: 0, // a file of its own is cached for ever
    modulePreload: { polyfill: false }, // every browser that Svelte 5 runs in has it
  },
  server: {
    // `npm run dev` beside `sanssouci serve`; the server answers pages of its own site only.
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
