// Texts that are cut off, covered or stand outside of their panels, and what lies over each other, each in words.
() => {
  const top = document.querySelector("dialog:modal") ?? document.body;
  const name = (element) =>
    `${element.tagName.toLowerCase()}.${[...element.classList].join(".")} “${element.textContent.trim().slice(0, 40)}”`;
  /** Most questions are asked of the same elements again and again: each is answered once. */
  const once = (answer) => {
    const known = new Map();
    return (element) => {
      if (!known.has(element)) known.set(element, answer(element));
      return known.get(element);
    };
  };
  const styleOf = once(getComputedStyle);
  const boxOf = once((element) => element.getBoundingClientRect());
  // What is clipped away as a whole is there for ears.
  const isForEars = once(
    (element) =>
      element !== null &&
      (element.matches(".unseen") || styleOf(element).clipPath === "inset(50%)" || isForEars(element.parentElement)),
  );
  const isSeen = once(
    (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isForEars(element),
  );
  const isWithin = (one, other) => one.contains(other) || other.contains(one);
  // What lies above the rest on purpose may cover something.
  const isAbove = once(
    (element) =>
      element !== null &&
      element !== top &&
      (["sticky", "fixed"].includes(styleOf(element).position) ||
        element.matches(".sheet") ||
        isAbove(element.parentElement)),
  );
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const faults = new Set();

  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth + 1) faults.add(`the page is ${wide} wide`);

  /** Every line of text, with its box; a line at the edge of a small line height may stand out by a little. */
  const lines = [];
  const texts = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const element = text.parentElement;
    if (text.textContent.trim() === "" || element.closest("option, style") || !isSeen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) if (box.width > 0) lines.push({ element, box });
  }

  /** The part of a line that is seen: what scrolls may be scrolled away, but what is hidden is cut off. */
  const seenPart = ({ element, box }) => {
    let { left, right, top: upper, bottom } = box;
    for (let around = element; around !== null && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY } = styleOf(around);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const frame = boxOf(around);
      const across = overflowX !== "visible" && (left < frame.left - 2 || right > frame.right + 2);
      const down = overflowY !== "visible" && (upper < frame.top - 3 || bottom > frame.bottom + 3);
      if (!across && !down) continue;
      const scrolls = [overflowX, overflowY].some((overflow) => ["auto", "scroll"].includes(overflow));
      // A name that is shortened can be read whole by pointing at it.
      const isTold = around.title !== "" && around.title === around.textContent.trim();
      if (!scrolls && !isTold) faults.add(`cut off: ${name(element)}`);
      // What lies before the beginning can never be scrolled to.
      if (scrolls && (left + around.scrollLeft < frame.left - 2 || upper + around.scrollTop < frame.top - 3))
        faults.add(`out of reach: ${name(element)}`);
      [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      [upper, bottom] = [Math.max(upper, frame.top), Math.min(bottom, frame.bottom)];
    }
    return new DOMRect(left, upper, Math.max(0, right - left), Math.max(0, bottom - upper));
  };

  const shown = lines.map((line) => ({ element: line.element, box: seenPart(line) }));
  for (const { element, box } of shown.filter((line) => line.box.width > 4 && line.box.height > 4)) {
    const around = element.closest("footer, .panel, .seat, .log, button, dialog");
    const panel = around && boxOf(around);
    if (panel?.width && (box.right > panel.right + 2 || box.left < panel.left - 2))
      faults.add(`outside: ${name(element)}`);
    if (element instanceof SVGElement || styleOf(element).pointerEvents === "none") continue;
    const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    if (hit && !isWithin(hit, element) && !isAbove(hit) && hit.closest("label")?.contains(element) !== true)
      faults.add(`covered: ${name(element)} by ${name(hit)}`);
  }

  // What is said of a turn has to be seen at once, so nothing of it may have to be scrolled to.
  for (const around of top.querySelectorAll(".turn, .turn *, :has(> .turn)")) {
    const scrolls = ["auto", "scroll"].includes(styleOf(around).overflowY);
    if (scrolls && around.scrollHeight > around.clientHeight + 1) faults.add(`cut off, scrolls: ${name(around)}`);
  }

  const isFlat = ({ element }) => !isAbove(element);
  const pairs = (things, said) => {
    const downwards = things.map(({ element, box: { left, right, top, bottom } }) => ({ element, left, right, top, bottom }));
    downwards.sort((one, other) => one.top - other.top);
    for (const [index, one] of downwards.entries())
      for (let next = index + 1; next < downwards.length && downwards[next].top < one.bottom; next++)
        if (overlap(one, downwards[next]) && !isWithin(one.element, downwards[next].element))
          faults.add(`${said}: ${name(one.element)}, ${name(downwards[next].element)}`);
  };
  /** What is scrolled away lies over nothing. */
  const unscrolled = (element) => {
    const scroller = element.parentElement.closest(".log ol");
    const { top: upper = -Infinity, bottom: lower = Infinity } = scroller?.getBoundingClientRect() ?? {};
    const { left, width, top: from, bottom: to } = element.getBoundingClientRect();
    const start = Math.max(from, upper);
    return new DOMRect(left, start, width, Math.max(0, Math.min(to, lower) - start));
  };
  const controls = [...top.querySelectorAll("button, a, summary, select, input")]
    .filter((element) => isSeen(element) && !element.closest("[aria-hidden=true]"))
    .map((element) => ({ element, box: unscrolled(element) }))
    .filter(({ box }) => box.width > 0);
  pairs(controls.filter(isFlat), "over each other");
  pairs(shown.filter(isFlat), "written over each other");
  return [...faults];
};
