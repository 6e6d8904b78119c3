/** The links of the start screen; without a server, those of the banner too. */
import type { MessageKey } from "../i18n/i18n.svelte";

interface MenuLink {
  readonly text: MessageKey;
  readonly path: string;
  /** Whether the page works without a server. */
  readonly offline?: true;
}

export const MENU_LINKS: readonly MenuLink[] = [
  { text: "nav.learn", path: "/learn" },
  { text: "nav.lessons", path: "/lessons" },
  { text: "nav.daily", path: "/daily" },
  { text: "nav.replay", path: "/replay", offline: true },
  { text: "nav.scores", path: "/scores", offline: true },
  { text: "nav.boards", path: "/boards", offline: true },
  { text: "nav.statistics", path: "/statistics" },
];

export const OFFLINE_LINKS = MENU_LINKS.filter(({ offline }) => offline);
