/** Keeps the hand in sight on phones, where the turn sticks to the lower edge and is higher while it is staged. */
import { BREAKPOINTS } from "../../theme/breakpoints";

export type TurnState = "waiting" | "idle" | "staged";

/**
 * Returns a function to be called with each state of the viewer's turn, which returns one that stops it. It scrolls the
 * page as far as the hand needs to be above the turn, and back when the next turn begins: not before, since the turns of
 * others are shown meanwhile. A reader of the guide is left where they are until they stage a step.
 */
export function handKeeper(): (layout: HTMLElement, turn: TurnState) => (() => void) | undefined {
  /** The scroll positions before and after the hand was uncovered. */
  let scrolled: { readonly from: number; readonly to: number } | null = null;

  return (layout, state) => {
    const [hand, turn] = [".own", ".turn-area"].map((part) => layout.querySelector(part));
    if (!hand || !turn) return undefined;

    function uncover(): void {
      if (!matchMedia(BREAKPOINTS.phone).matches) return;
      const covered = Math.ceil(hand!.getBoundingClientRect().bottom - turn!.getBoundingClientRect().top);
      const free = state !== "staged" && layout.querySelector(".guide-panel") !== null;
      if (covered > 0 && !free) scroll(scrolled?.from ?? scrollY, scrollY + covered);
      else if (scrolled && state === "idle") {
        const { from, to } = scrolled;
        scrolled = null;
        if (Math.abs(scrollY - to) < 2) scroll(from, free ? from : Math.max(from, scrollY + covered));
      }
    }

    function scroll(from: number, to: number): void {
      const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth";
      scrolled = to > from ? { from, to } : null;
      scrollTo({ top: to, behavior });
    }

    const observer = new ResizeObserver(uncover); // begins with a call
    observer.observe(turn);
    return () => observer.disconnect();
  };
}
