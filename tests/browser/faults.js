// Texts that are cut off or stand outside of their panels, and controls that lie over each other, each in words.
() => {
  const name = (element) =>
    `${element.tagName.toLowerCase()}.${[...element.classList].join(".")} “${element.textContent.trim().slice(0, 40)}”`;
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
  const faults = new Set();

  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth + 1) faults.add(`the page is ${wide} wide`);

  for (const element of document.querySelectorAll("body *")) {
    if (element instanceof SVGElement || !hasText(element) || !isShown(element) || element.closest(".unseen")) continue;
    const { overflowX, overflowY } = getComputedStyle(element);
    const hides = [overflowX, overflowY].some((overflow) => ["hidden", "clip"].includes(overflow));
    const lacks = element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 2;
    if (hides && lacks) faults.add(`cut off: ${name(element)}`);
    const box = element.getBoundingClientRect();
    const panel = element.closest("footer, .panel, .seat, .log, button, dialog")?.getBoundingClientRect();
    if (panel?.width && box.width > 0 && (box.right > panel.right + 2 || box.left < panel.left - 2))
      faults.add(`outside: ${name(element)}`);
  }

  // What lies above the rest on purpose may cover something.
  const isAbove = (element) =>
    element !== null &&
    (["sticky", "fixed"].includes(getComputedStyle(element).position) ||
      element.matches("dialog, .sheet") ||
      isAbove(element.parentElement));
  const controls = [...document.querySelectorAll("button, a, summary, select, input")]
    .filter((element) => isShown(element) && !element.closest(".unseen, [aria-hidden=true]") && !isAbove(element))
    .map((element) => ({ element, box: element.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0);
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      const [a, b] = [one.box, other.box];
      const inside = one.element.contains(other.element) || other.element.contains(one.element);
      const sideways = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (!inside && sideways > 2 && down > 2) faults.add(`over each other: ${name(one.element)}, ${name(other.element)}`);
    }
  }
  return [...faults];
};
