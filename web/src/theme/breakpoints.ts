/**
 * The four layouts beside that of a large screen. CSS names them as `@media (--phone)`; `vite.config.ts` puts the
 * conditions in, since browsers do not support custom media queries yet.
 */
export const BREAKPOINTS = {
  /** A phone held upright, or a window as narrow. */
  phone: "(max-width: 700px) and (max-aspect-ratio: 1/1), (max-width: 700px) and (min-height: 501px)",
  /** A phone on its side. */
  "phone-landscape": "(max-height: 500px) and (max-width: 960px) and (min-aspect-ratio: 1/1)",
  /** One column: a tablet, or a window as narrow. Holds for an upright phone too. */
  tablet: "(max-width: 1100px) and (max-aspect-ratio: 1/1), (max-width: 900px) and (min-height: 501px)",
  /** The layout of a large screen with less room beside the garden. */
  laptop: "(min-width: 901px) and (max-width: 1250px) and (min-height: 501px) and (min-aspect-ratio: 1/1)",
} as const;

export type Breakpoint = keyof typeof BREAKPOINTS;
