import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  // A short name for the styles of each component: it stands at everything that has one.
  compilerOptions: { runes: true, cssHash: ({ css, hash }) => `s${hash(css).slice(0, 4)}` },
};
