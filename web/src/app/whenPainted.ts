/** Milliseconds after which a page that draws no frames, because it is hidden, counts as painted. */
const LONGEST_WAIT = 100;

/** Resolves once the next frame is painted, so that a click is answered before more expensive work begins. */
export function whenPainted(): Promise<void> {
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, LONGEST_WAIT);
  });
}
