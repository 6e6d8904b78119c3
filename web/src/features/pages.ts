/** Smaller pages. They are loaded together, because small files compress badly. */
export { default as BoardEditor } from "./boards/BoardEditor.svelte";
export { default as Daily } from "./daily/Daily.svelte";
export { default as ScoreSheet } from "./scoreSheet/ScoreSheet.svelte";
export { default as Statistics } from "./statistics/Statistics.svelte";
export { default as Tutorial } from "./tutorial/Tutorial.svelte";
