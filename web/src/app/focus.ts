/**
 * Moves the focus when the focused element disappears: a button, a panel, a whole screen. Browsers reset it to the page,
 * from where keyboard users would have to start over.
 *
 * It goes to the nearest ancestor that can have it, to the button of an enclosing menu, or to the title of the screen.
 */

/** The focused element and its ancestors, from the inside out. */
let path: readonly HTMLElement[] = [];
/** Whether the title of the next screen is to be focused once it exists. */
let awaitsTitle = false;
/** Whether the focused element is checked after the next frame. */
let awaitsFrame = false;

/** Manages the focus of the page; the returned function stops it. */
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

/** Focus the title of the screen, now or once it exists. */
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
  if (last === undefined) return;
  if (last.isConnected) checkAfterFrame();
  else leave(last);
}

/** Whether an element is hidden is known once the page is drawn; asking earlier would compute its styles twice. */
function checkAfterFrame(): void {
  if (awaitsFrame) return;
  awaitsFrame = true;
  requestAnimationFrame(() =>
    setTimeout(() => {
      awaitsFrame = false;
      const [last] = path;
      if (last !== undefined && !canHaveFocus(last)) leave(last);
    }),
  );
}

/** Moves the focus away from an element, unless it is elsewhere already. */
function leave(last: HTMLElement): void {
  const { activeElement } = document;
  if (isNowhere(activeElement) || activeElement === last)
    focusTarget(path.slice(1))?.focus({ preventScroll: true });
}

/** Whether the focus is on the page as a whole. */
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
