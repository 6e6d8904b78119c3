import { vitePreprocess } from "@sveltejs/vite-plugin-svelte";

export default {
  preprocess: vitePreprocess(),
  // Short class names for scoped styles, since they are repeated on every styled element.
  compilerOptions: { runes: true, cssHash: ({ css, hash }) => `s${hash(css).slice(0, 4)}` },
};
