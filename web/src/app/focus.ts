/**
 * Where the focus goes when what had it vanishes: a button that was pressed and is gone, a panel that was closed, a
 * screen that gave way to the next. Browsers drop it on the page as a whole, from where a keyboard begins anew.
 *
 * It goes to what is nearest of that which was around: something that takes the focus, a menu's button, or the title.
 */

/** The one that has the focus, and all that is around it, from the inside out. */
let path: readonly HTMLElement[] = [];
/** Whether the title of what is shown next is to be read, as soon as it is there. */
let awaitsTitle = false;

/** Watch over the focus of the whole page; the answer ends it. */
export function manageFocus(): () => void {
  const watcher = new MutationObserver(restoreFocus);
  watcher.observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled", "open"],
  });
  document.addEventListener("focusin", remember);
  return () => {
    watcher.disconnect();
    document.removeEventListener("focusin", remember);
  };
}

/** Read on from the title of the screen: at once, or as soon as the screen is there. */
export function focusTitle(): void {
  const title = titleIn(document.body);
  awaitsTitle = title === null;
  title?.focus();
}

function remember({ target }: FocusEvent): void {
  awaitsTitle &&= target === document.querySelector("main");
  path = [];
  for (let element = target as HTMLElement | null; element !== null; element = element.parentElement)
    path = [...path, element];
}

function restoreFocus(): void {
  const { activeElement } = document;
  if (awaitsTitle && isNowhere(activeElement) && titleIn(document.body) !== null) return focusTitle();
  const [last] = path;
  if (last === undefined || canHaveFocus(last)) return;
  if (!isNowhere(activeElement) && activeElement !== last) return;
  focusTarget(path.slice(1))?.focus({ preventScroll: true });
}

/** The page as a whole, or the place of all screens. */
function isNowhere(element: Element | null): boolean {
  return element === null || element === document.body || element.matches("main");
}

function canHaveFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(":disabled") && element.checkVisibility();
}

function focusTarget(around: readonly HTMLElement[]): HTMLElement | null {
  for (const element of around.filter(canHaveFocus)) {
    if (element.matches("details")) return element.querySelector("summary");
    const title = element.matches("main") ? titleIn(element) : null;
    awaitsTitle = element.matches("main") && title === null;
    if (title !== null) return title;
    if (element.hasAttribute("tabindex")) return element;
  }
  return null;
}

function titleIn(element: HTMLElement): HTMLElement | null {
  return element.querySelector<HTMLElement>("main h1[tabindex]");
}
