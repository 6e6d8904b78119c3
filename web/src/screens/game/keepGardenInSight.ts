/** Keeps the garden in sight above a hint on phones, where the hint covers the lower half of the screen. */
import { BREAKPOINTS } from "../../theme/breakpoints";

/** Scrolls the page as far as the garden needs to be above the hint, and back when the hint is closed. */
export function keepGardenInSight(hint: HTMLElement): () => void {
  const layout = hint.closest(".layout")!;
  const [garden, header] = [".garden", "header"].map((part) => layout.querySelector(part)!);
  let scrolled: { from: number; to: number } | null = null;

  function scroll(top: number): void {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    scrollTo({ top, behavior: still ? "instant" : "smooth" });
  }

  function uncover(): void {
    if (!matchMedia(BREAKPOINTS.phone).matches) return;
    const { top, bottom } = garden!.getBoundingClientRect();
    const room = top - header!.getBoundingClientRect().bottom;
    const covered = Math.min(bottom + 8 - hint.getBoundingClientRect().top, room);
    if (covered <= 0) return;
    scrolled = { from: scrolled?.from ?? scrollY, to: Math.ceil(scrollY + covered) };
    scroll(scrolled.to);
  }

  const observer = new ResizeObserver(uncover);
  observer.observe(hint);
  return () => {
    observer.disconnect();
    if (scrolled && Math.abs(scrollY - scrolled.to) < 2) scroll(scrolled.from);
  };
}
