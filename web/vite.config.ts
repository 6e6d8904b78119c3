import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

const SERVER = "http://127.0.0.1:8017";

export default defineConfig({
  plugins: [svelte()],
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
  test: { include: ["src/**/*.test.ts"], environment: "node", css: true },
});
