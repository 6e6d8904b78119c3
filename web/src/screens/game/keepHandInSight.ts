/** Keeps the hand in sight on phones, where the turn sticks to the lower edge and is higher while it is staged. */
import { BREAKPOINTS } from "../../theme/breakpoints";

/**
 * Scrolls the page as far as the hand needs to be above the turn, and back afterwards. A reader of the guide is left
 * where they are until they stage a step. Returns a function that stops it.
 */
export function keepHandInSight(layout: HTMLElement, staged: () => boolean): (() => void) | undefined {
  const [hand, turn] = [".own", ".turn-area"].map((part) => layout.querySelector(part));
  if (!hand || !turn) return undefined;
  /** The scroll positions before and after the hand was uncovered. */
  let scrolled: { from: number; to: number } | null = null;

  function uncover(): void {
    if (!matchMedia(BREAKPOINTS.phone).matches) return;
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
    const covered = hand!.getBoundingClientRect().bottom - turn!.getBoundingClientRect().top;
    if (covered > 0 && (staged() || !layout.querySelector(".guide-panel"))) {
      const to = Math.ceil(scrollY + covered);
      scrolled = { from: scrolled?.from ?? scrollY, to };
      scrollTo({ top: to, behavior });
    } else if (scrolled && !staged()) {
      if (Math.abs(scrollY - scrolled.to) < 2) scrollTo({ top: scrolled.from, behavior });
      scrolled = null;
    }
  }

  const observer = new ResizeObserver(uncover);
  observer.observe(turn);
  return () => observer.disconnect();
}
