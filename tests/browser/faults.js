// Lists texts that are cut off, covered, broken or outside their panels, and overlapping elements.
() => {
  const top = document.querySelector("dialog:modal") ?? document.body;
  const name = (element) =>
    `${element.tagName.toLowerCase()}.${[...element.classList].join(".")} “${element.textContent.trim().slice(0, 40)}”`;
  /** Most elements are checked repeatedly, so results are cached. */
  const cached = (answer) => {
    const known = new Map();
    return (element) => {
      if (!known.has(element)) known.set(element, answer(element));
      return known.get(element);
    };
  };
  const styleOf = cached(getComputedStyle);
  const boxOf = cached((element) => element.getBoundingClientRect());
  // Elements that are clipped completely are for screen readers.
  const isScreenReaderOnly = cached(
    (element) =>
      element !== null &&
      (element.matches(".sr-only") || styleOf(element).clipPath === "inset(50%)" || isScreenReaderOnly(element.parentElement)),
  );
  const isVisible = cached(
    (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !isScreenReaderOnly(element),
  );
  const isWithin = (one, other) => one.contains(other) || other.contains(one);
  // Overlays may cover other elements.
  const isOverlay = cached(
    (element) =>
      element !== null &&
      element !== top &&
      (["sticky", "fixed"].includes(styleOf(element).position) ||
        element.matches(".sheet") ||
        isOverlay(element.parentElement)),
  );
  const overlap = (a, b) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
  const faults = new Set();

  const wide = document.documentElement.scrollWidth;
  if (wide > innerWidth + 1) faults.add(`the page is ${wide} wide`);

  /** Every line of text with its box. A line may extend slightly beyond a small line height. */
  const lines = [];
  const texts = [];
  const walker = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
  for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
    const element = text.parentElement;
    if (text.textContent.trim() === "" || element.closest("option, style") || !isVisible(element)) continue;
    texts.push(text);
    const range = document.createRange();
    range.selectNodeContents(text);
    for (const box of range.getClientRects()) if (box.width > 0) lines.push({ element, box });
  }

  /** The visible part of a line. Scrolled text may be invisible, but clipped text is cut off. */
  const visiblePart = ({ element, box }) => {
    let { left, right, top: upper, bottom } = box;
    for (let around = element; around !== null && around !== document.body; around = around.parentElement) {
      const { overflowX, overflowY } = styleOf(around);
      if (overflowX === "visible" && overflowY === "visible") continue;
      const frame = boxOf(around);
      const across = overflowX !== "visible" && (left < frame.left - 2 || right > frame.right + 2);
      const down = overflowY !== "visible" && (upper < frame.top - 3 || bottom > frame.bottom + 3);
      if (!across && !down) continue;
      const scrolls = [overflowX, overflowY].some((overflow) => ["auto", "scroll"].includes(overflow));
      // A shortened name has the full text as its tooltip.
      const hasTooltip = around.title !== "" && around.title === around.textContent.trim();
      if (!scrolls && !hasTooltip) faults.add(`cut off: ${name(element)}`);
      // Text before the start of a scroll area is unreachable.
      if (scrolls && (left + around.scrollLeft < frame.left - 2 || upper + around.scrollTop < frame.top - 3))
        faults.add(`unreachable: ${name(element)}`);
      [left, right] = [Math.max(left, frame.left), Math.min(right, frame.right)];
      [upper, bottom] = [Math.max(upper, frame.top), Math.min(bottom, frame.bottom)];
    }
    return new DOMRect(left, upper, Math.max(0, right - left), Math.max(0, bottom - upper));
  };

  const shown = lines.map((line) => ({ element: line.element, box: visiblePart(line) }));
  for (const { element, box } of shown.filter((line) => line.box.width > 4 && line.box.height > 4)) {
    const around = element.closest("footer, .panel, .seat, .log, button, dialog");
    const panel = around && boxOf(around);
    if (panel?.width && (box.right > panel.right + 2 || box.left < panel.left - 2))
      faults.add(`outside: ${name(element)}`);
    if (element instanceof SVGElement || styleOf(element).pointerEvents === "none") continue;
    const hit = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    if (hit && !isWithin(hit, element) && !isOverlay(hit) && hit.closest("label")?.contains(element) !== true)
      faults.add(`covered: ${name(element)} by ${name(hit)}`);
  }

  // Words in tables and on cards are never broken, and tables are not wider than what they are in.
  for (const table of [...top.querySelectorAll("table")].filter(isVisible)) {
    const room = table.closest(".scroll, .panel, .score-table, .seat, dialog, main");
    if (room.scrollWidth > room.clientWidth + 1 || boxOf(table).right > boxOf(room).right + 1)
      faults.add(`too wide: ${name(table)}`);
  }
  for (const text of texts.filter((one) => one.parentElement.closest("th, td, [data-card]")))
    for (const { index, 0: word } of text.textContent.matchAll(/[\p{L}\p{N}]+/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      const boxes = [...range.getClientRects()];
      // A break at a soft hyphen is none within a word. The box of the hyphen comes first.
      if (text.textContent[index - 1] === "\u00ad" && boxes.length > 1) boxes.shift();
      const [first, ...rest] = boxes;
      if (rest.some(({ top: upper }) => upper > first.top + 4)) faults.add(`broken: ${word} in ${name(text.parentElement)}`);
    }

  // The names above two columns do not run into each other.
  const heads = lines.filter(({ element }) => element.matches(".column-head .name"));
  for (const [index, { element, box }] of heads.entries())
    if (heads.slice(index + 1).some((next) => Math.abs(next.box.top - box.top) < 3 && next.box.left < box.right + 2))
      faults.add(`too close to the next column: ${name(element)}`);

  // Badges cover neither others of their square nor those of squares next to it.
  const badges = [...top.querySelectorAll(".garden :is(.ring b, [data-sign], .reasons, span.noble)")].filter(isVisible);
  for (const [index, one] of badges.entries())
    for (const other of badges.slice(index + 1))
      if (overlap(boxOf(one), boxOf(other))) faults.add(`colliding badges: ${name(one)}, ${name(other)}`);

  // The gardens of several other players may scroll sideways, but not the scores next to a single one.
  for (const scores of [...top.querySelectorAll(".others .score-table")].filter(isVisible))
    if (boxOf(scores).right > Math.min(innerWidth, boxOf(scores.parentElement).right) + 1) faults.add(`outside: ${name(scores)}`);

  // The sticky turn covers neither hand nor missions, and nobles on the terrace are seen above them. Where there is no
  // room for everything, the page scrolls; only the text of a guide that is being read may push the hand out of sight.
  const [own, turn, terrace, guide] = [".own", ".turn-area", ".terrace", ".guide-panel"].map((one) =>
    top.querySelector(`.layout ${one}`),
  );
  if (own && turn && styleOf(turn).position === "sticky") {
    const header = top.querySelector(".layout > header");
    const room = innerHeight - (isScreenReaderOnly(header) ? 0 : boxOf(header).height);
    const reads = guide && (turn.querySelector(".idle") || guide.querySelector(".verdict"));
    if (boxOf(own).bottom > boxOf(turn).top + 1 && !reads) faults.add(`covered by the turn: ${name(own)}`);
    if (boxOf(own).bottom - boxOf(terrace).top + boxOf(turn).height > room) faults.add(`no room for the turn: ${name(own)}`);
    if (innerHeight >= 700 && !guide && boxOf(own).bottom + scrollY > innerHeight - boxOf(turn).height + 1)
      faults.add(`scrolled by the turn: ${name(own)}`);
  }

  // All texts of a turn must be visible at once, so nothing may scroll. Nor may what is shown between turns, except on
  // a phone in landscape.
  const between = innerHeight > 500 ? ", .staging" : "";
  for (const around of top.querySelectorAll(`.turn, .turn *, :has(> .turn)${between}`)) {
    const scrolls = ["auto", "scroll"].includes(styleOf(around).overflowY);
    if (scrolls && around.scrollHeight > around.clientHeight + 1) faults.add(`cut off, scrolls: ${name(around)}`);
  }

  const isFlat = ({ element }) => !isOverlay(element);
  const addOverlaps = (things, message) => {
    const downwards = things.map(({ element, box: { left, right, top, bottom } }) => ({ element, left, right, top, bottom }));
    downwards.sort((one, other) => one.top - other.top);
    for (const [index, one] of downwards.entries())
      for (let next = index + 1; next < downwards.length && downwards[next].top < one.bottom; next++)
        if (overlap(one, downwards[next]) && !isWithin(one.element, downwards[next].element))
          faults.add(`${message}: ${name(one.element)}, ${name(downwards[next].element)}`);
  };
  /** The box of an element without the part that is scrolled away. */
  const unscrolledBox = (element) => {
    const scroller = element.parentElement.closest(".log ol");
    const { top: upper = -Infinity, bottom: lower = Infinity } = scroller?.getBoundingClientRect() ?? {};
    const { left, width, top: from, bottom: to } = element.getBoundingClientRect();
    const start = Math.max(from, upper);
    return new DOMRect(left, start, width, Math.max(0, Math.min(to, lower) - start));
  };
  const controls = [...top.querySelectorAll("button, a, summary, select, input")]
    .filter((element) => isVisible(element) && !element.closest("[aria-hidden=true]"))
    .map((element) => ({ element, box: unscrolledBox(element) }))
    .filter(({ box }) => box.width > 0);
  addOverlaps(controls.filter(isFlat), "overlapping controls");
  addOverlaps(shown.filter(isFlat), "overlapping texts");
  return [...faults];
};
