/**
 * The layouts in addition to that of a large screen. CSS names them as `@media (--phone)`; `vite.config.ts` inserts
 * the conditions, since browsers do not support custom media queries yet.
 */
export const BREAKPOINTS = {
  /** A phone held upright, or a window as narrow. */
  phone: "(max-width: 700px) and (max-aspect-ratio: 1/1), (max-width: 700px) and (min-height: 501px)",
  /** An upright phone on which the table has little height. Holds in addition to `phone`. */
  "short-phone": "(max-width: 700px) and (max-height: 860px) and (max-aspect-ratio: 1/1)",
  /** The smallest upright phones, such as 320 × 568. Holds in addition to `phone` and `short-phone`. */
  "small-phone": "(max-width: 700px) and (max-height: 600px) and (max-aspect-ratio: 1/1)",
  /** A phone in landscape. */
  "phone-landscape": "(max-height: 500px) and (max-width: 960px) and (min-aspect-ratio: 1/1)",
  /** One column: a tablet, or a window as narrow. Holds for an upright phone too. */
  tablet: "(max-width: 1100px) and (max-aspect-ratio: 1/1), (max-width: 900px) and (min-height: 501px)",
  /** The layout of a large screen with less room next to the garden. */
  laptop: "(min-width: 901px) and (max-width: 1250px) and (min-height: 501px) and (min-aspect-ratio: 1/1)",
} as const;

export type Breakpoint = keyof typeof BREAKPOINTS;
