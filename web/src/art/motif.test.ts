import { render } from "svelte/server";
import { expect, it } from "vitest";

import { COLUMNS } from "../game/notation";
import { KEY } from "./edition";
import Motif from "./Motif.svelte";

/** The drawing of a motif on a page of an edition. */
function draw(motif: string, edition: string, glyph: boolean): string {
  return render(Motif, { props: { motif, glyph }, context: new Map([[KEY, () => edition]]) }).body;
}

it.each([true, false])("Imperial draws a tree and flowers in place of topiary and rose arch", (glyph) => {
  const differing = COLUMNS.filter(
    (motif) => draw(motif, "imperial", glyph) !== draw(motif, "ravensburger", glyph),
  );
  expect(differing).toEqual(["d", "g"]);
});
