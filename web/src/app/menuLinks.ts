/** The links of the start screen. */
import type { MessageKey } from "../i18n/i18n.svelte";

interface MenuLink {
  readonly text: MessageKey;
  readonly path: string;
}

export const MENU_LINKS: readonly MenuLink[] = [
  { text: "nav.learn", path: "/learn" },
  { text: "nav.lessons", path: "/lessons" },
  { text: "nav.daily", path: "/daily" },
  { text: "nav.replay", path: "/replay" },
  { text: "nav.scores", path: "/scores" },
  { text: "nav.boards", path: "/boards" },
  { text: "nav.statistics", path: "/statistics" },
];
