/** A noble's walk as SVG: a line along the squares, which are 100 wide, and an arrowhead. The terrace is above row 1. */
import { COLUMNS, columnOf, rowOf, type Square } from "./notation";

/** A noble's walk; `from` is null on the terrace. */
export interface Walk {
  readonly from: Square | null;
  readonly walk: readonly Square[];
}

export interface WalkDrawing {
  /** SVG paths. */
  readonly line: string;
  readonly head: string;
}

type Point = readonly [x: number, y: number];

/** Distance of the tip from the middle of the stop, whose picture it does not hide, length of the head, and half its width. */
const [SHORT, LONG, WIDE] = [44, 34, 22];
const DOOR = 40;

/** Null if there is no walk. */
export function walkPath({ from, walk }: Walk): WalkDrawing | null {
  const [first] = walk;
  if (first === undefined) return null;
  const start: Point = from === null ? [middle(first)[0], -DOOR] : middle(from);
  const points = [start, ...walk.map(middle)];
  const [before, stop] = points.slice(-2) as [Point, Point];
  const length = Math.hypot(stop[0] - before[0], stop[1] - before[1]);
  const [dx, dy] = [(stop[0] - before[0]) / length, (stop[1] - before[1]) / length];
  const tip: Point = [stop[0] - SHORT * dx, stop[1] - SHORT * dy];
  const neck: Point = [tip[0] - LONG * dx, tip[1] - LONG * dy];
  const [left, right] = [WIDE, -WIDE].map((side): Point => [neck[0] - side * dy, neck[1] + side * dx]);
  return {
    line: path([...points.slice(0, -1), neck]),
    head: `${path([tip, left!, right!])}Z`,
  };
}

function middle(square: Square): Point {
  return [COLUMNS.indexOf(columnOf(square)) * 100 + 50, rowOf(square) * 100 - 50];
}

function path(points: readonly Point[]): string {
  return `M${points.map((point) => point.map((number) => Math.round(number)).join(" ")).join("L")}`;
}
