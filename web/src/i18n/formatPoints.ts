/** Formats points, with a minus sign (U+2212), which is as wide as a digit. */

/** `7`, `0`, `−7`. */
export function formatPoints(number: number): string {
  return number < 0 ? `−${-number}` : `${number}`;
}

/** What was won or lost: `+7`, `+0`, `−7`. */
export function formatGain(number: number): string {
  return number < 0 ? formatPoints(number) : `+${number}`;
}
