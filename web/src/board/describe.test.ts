import { expect, test } from "vitest";

import type { SquareView } from "../game/squareView";
import type { EditionNames } from "../i18n/editionNames.svelte";
import { describeSquare } from "./describe";

const names = { motif: () => "pavilion" } as unknown as EditionNames;
const stop = (points: number) =>
  ({
    square: "c4",
    column: "c",
    ground: "structure",
    connected: true,
    mark: null,
    hinted: null,
    target: { kind: "stop", points },
  }) as unknown as SquareView;

test("a stop is described with its points", () => {
  expect(describeSquare(stop(1), names)).toContain("the noble can stop here for 1 point");
  expect(describeSquare(stop(4), names)).toContain("the noble can stop here for 4 points");
});
