/** The squares that can be chosen while a turn is staged: for the tile, the boar or a noble. */
import type { Target } from "./squareView";
import { columnOf, isGardener, isSquare, squareOf, type Column, type Space, type Square } from "./notation";
import type { Staging } from "./staging";

/** The squares for the next step; if a space or a noble's column is pointed at, only its squares. */
export function targetsOf(
  staging: Staging,
  pointed: { space?: Space | null; noble?: Column | null } = {},
): ReadonlyMap<Square, Target> {
  const space = staging.value("space") ?? pointed.space ?? null;
  if (staging.tile === null && space !== null) return tileTargets(staging, space);
  if (staging.need === "boar") return boarTargets(staging);
  return stopTargets(staging, pointed.noble ?? null);
}

function tileTargets(staging: Staging, space: Space): ReadonlyMap<Square, Target> {
  const tiles = staging.tilesOf(space);
  return new Map(
    tiles.map((tile) => [squareOf(tile), { kind: isGardener(tile) ? "gardener" : "structure" }]),
  );
}

function boarTargets(staging: Staging): ReadonlyMap<Square, Target> {
  return new Map(
    staging
      .choices("boar")
      .filter(isSquare)
      .map((square) => [square, { kind: "boar" }]),
  );
}

function stopTargets(staging: Staging, column: Column | null): ReadonlyMap<Square, Target> {
  const stops = [...staging.stops].filter(([square]) => column === null || columnOf(square) === column);
  const most = new Map<Column, number>();
  for (const [square, points] of stops)
    most.set(columnOf(square), Math.max(points, most.get(columnOf(square)) ?? points));
  return new Map(
    stops.map(([square, points]) => [
      square,
      { kind: "stop", points, best: points === most.get(columnOf(square)) },
    ]),
  );
}
