/** Lets tiles of the display and nobles of the viewer's garden be dragged by mouse or finger. */
import { Dragging, type Piece, type Point } from "../game/dragging";
import { asColumn, asSpace, type Square } from "../game/notation";

export interface DragTarget {
  /** The piece that is dragged; null when the drag ends. */
  hold(piece: Piece | null): void;
  drop(piece: Piece, square: Square): void;
  /** Whether the noble of a column stands on the terrace or on a square, and so can be taken there. */
  nobleAt(column: string, square: string | null): boolean;
}

/** Starts to listen; returns a function that stops. */
export function dragPieces(target: DragTarget): () => void {
  let ghost: HTMLElement | null = null;
  let source: HTMLElement | null = null;
  const page = document.documentElement;

  const dragging = new Dragging(
    {
      start(piece, at) {
        ghost = source && ghostOf(source);
        place(at);
        page.classList.add("dragging");
        target.hold(piece);
      },
      move: place,
      drop(piece, { x, y }) {
        const element = document
          .elementFromPoint(x, y)
          ?.closest<HTMLElement>(".garden[data-garden] [data-square]");
        if (element) target.drop(piece, element.dataset["square"] as Square);
      },
      end() {
        ghost?.remove();
        ghost = source = null;
        page.classList.remove("dragging");
        target.hold(null);
        addEventListener("click", swallow, { capture: true });
      },
    },
    (milliseconds, act) => {
      const timer = setTimeout(act, milliseconds);
      return () => clearTimeout(timer);
    },
  );

  function place({ x, y }: Point): void {
    if (ghost) ghost.style.transform = `translate(${x}px, ${y}px) translate(-50%, -50%)`;
  }

  const pointOf = (event: PointerEvent): Point => ({ x: event.clientX, y: event.clientY });
  const listeners: { [Kind in keyof WindowEventMap]?: (event: WindowEventMap[Kind]) => void } = {
    pointerdown(event) {
      removeEventListener("click", swallow, { capture: true });
      if (!event.isPrimary || event.button !== 0 || !(event.target instanceof Element)) return;
      const found = pieceAt(event.target, target);
      if (found === null) return;
      source = found.element;
      dragging.press(found.piece, pointOf(event), event.pointerType === "touch");
    },
    pointermove: (event) => event.isPrimary && dragging.move(pointOf(event)),
    pointerup: (event) => event.isPrimary && dragging.release(pointOf(event)),
    pointercancel: () => dragging.cancel(),
    blur: (event) => event.target === window && dragging.cancel(),
    contextmenu: (event) => dragging.active && event.preventDefault(), // a finger that holds still opens it
    keydown(event) {
      if (event.key !== "Escape" || !dragging.active) return;
      event.stopImmediatePropagation();
      dragging.cancel();
    },
    // The page scrolls unless the first movement after the hold is prevented.
    touchmove: (event) => dragging.active && event.cancelable && event.preventDefault(),
  };
  const options = { capture: true, passive: false };
  const each = (act: typeof addEventListener) => {
    for (const [kind, listener] of Object.entries(listeners)) act(kind, listener as EventListener, options);
  };
  each(addEventListener);
  return () => {
    dragging.cancel();
    removeEventListener("click", swallow, { capture: true });
    each(removeEventListener);
  };
}

/** The click that follows the release is part of the drag; one by keyboard is not. */
function swallow(event: MouseEvent): void {
  if (event.detail === 0) return;
  event.stopPropagation();
  event.preventDefault();
}

function pieceAt(
  element: Element,
  { nobleAt }: DragTarget,
): { readonly piece: Piece; readonly element: HTMLElement } | null {
  const space = element.closest<HTMLElement>("[data-space]");
  if (space?.firstElementChild) {
    const value = asSpace(Number(space.dataset["space"]));
    return { piece: { kind: "tile", space: value }, element: space };
  }
  const place = element.closest<HTMLElement>(".garden[data-garden] :is([data-door], [data-square])");
  if (!place) return null;
  const { door, square = null } = place.dataset;
  const column = door ?? square?.[0] ?? "";
  if (!nobleAt(column, square)) return null;
  return {
    piece: { kind: "noble", column: asColumn(column) },
    element:
      place.querySelector<HTMLElement>(".noble") ??
      document.querySelector<HTMLElement>(`[data-markers="${square}"] > .noble`) ??
      place,
  };
}

/** A picture of the piece that follows the pointer. */
function ghostOf(element: HTMLElement): HTMLElement {
  const { width, height } = element.getBoundingClientRect();
  const ghost = document.createElement("div");
  ghost.className = "drag-ghost";
  ghost.setAttribute("aria-hidden", "true");
  const picture = element.cloneNode(true) as HTMLElement;
  // What identifies an element is removed, except the seat, which gives a noble its colours.
  for (const one of [picture, ...picture.querySelectorAll("*")])
    for (const { name } of [...one.attributes])
      if (
        (name.startsWith("data-") && name !== "data-seat") ||
        name.startsWith("aria-") ||
        name === "id" ||
        name === "role"
      )
        one.removeAttribute(name);
  picture.setAttribute("tabindex", "-1");
  Object.assign(picture.style, { position: "absolute", inset: "0", width: "100%", height: "100%" });
  Object.assign(ghost.style, { width: `${width}px`, height: `${height}px` });
  ghost.append(picture);
  document.body.append(ghost);
  return ghost;
}
