/** Which sounds belong to a movement, and when they are played. */
import type { Movement } from "./animation";

/** A tile is laid, a noble takes a step, it is the viewer's turn. */
export type Sound = "knock" | "step" | "bell";

export interface Cue {
  readonly sound: Sound;
  /** Milliseconds from now. */
  readonly after: number;
}

/** The sounds of a movement of `duration` milliseconds: a tile at the end, a noble at each step. */
export function cuesOf(movement: Movement, duration: number): readonly Cue[] {
  switch (movement.kind) {
    case "tile":
      return [{ sound: "knock", after: duration }];
    case "boar":
    case "noble":
      return steps(movement.kind === "noble" ? movement.walk.length : 2, duration);
    case "forward":
    case "light":
    case "points":
      return [];
  }
}

function steps(count: number, duration: number): readonly Cue[] {
  return Array.from({ length: count }, (_, step) => ({
    sound: "step",
    after: (duration * (step + 1)) / count,
  }));
}
