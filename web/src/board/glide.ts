/** Animates pieces from place to place with `transform` and `opacity`, which need no layout. */

/** A place on the screen. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Glide {
  readonly duration: number;
  /** How high it hops on the way, in parts of its own height. */
  readonly hop?: number;
  readonly fades?: boolean;
}

/** Moves an element through some spots; it stays at the last one until the animation is cancelled. */
export function glide(
  element: HTMLElement,
  spots: readonly Spot[],
  { duration, hop = 0, fades = false }: Glide,
) {
  const goal = spots.at(-1);
  if (goal === undefined) return null;
  element.style.width = `${goal.width}px`;
  element.style.height = `${goal.height}px`;
  const frames = spots.map((spot, at) => ({
    transform: `translate(${spot.x}px, ${spot.y}px) scale(${spot.width / goal.width})`,
    opacity: fades && at === spots.length - 1 ? 0 : 1,
  }));
  const [first] = frames;
  const whole = frames.length === 1 && first ? [first, first] : hop > 0 ? hopping(spots, goal, hop) : frames;
  return element.animate(whole, {
    duration: duration,
    easing: "cubic-bezier(0.45, 0, 0.25, 1)",
    fill: "both",
  });
}

/** Frames with a small hop between two spots. */
function hopping(spots: readonly Spot[], goal: Spot, hop: number): Keyframe[] {
  const frames: Keyframe[] = [];
  spots.forEach((spot, at) => {
    const last = spots[at - 1];
    if (last !== undefined) {
      const [x, y] = [(last.x + spot.x) / 2, (last.y + spot.y) / 2 - hop * goal.height];
      frames.push({ transform: `translate(${x}px, ${y}px)`, opacity: 1 });
    }
    frames.push({ transform: `translate(${spot.x}px, ${spot.y}px)`, opacity: 1 });
  });
  return frames;
}

/** A part of a spot, such as the part of a square that a piece covers. */
export function partOf(
  spot: Spot,
  { left, top, size }: { readonly left: number; readonly top: number; readonly size: number },
): Spot {
  return {
    x: spot.x + left * spot.width,
    y: spot.y + top * spot.height,
    width: size * spot.width,
    height: size * spot.height,
  };
}
