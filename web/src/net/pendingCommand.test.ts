import { describe, expect, it } from "vitest";

import { IMPERIAL } from "../../tests/fixtures";
import { isStillApplicable } from "./pendingCommand";
import type { TableView } from "./types";

const PICKING = IMPERIAL.picking;
const PLAYING = IMPERIAL.views[0]!;
const later = (view: TableView, some: Partial<TableView> = {}): TableView => ({
  ...view,
  seq: view.seq + 1,
  ...some,
});

describe("a command that came too late", () => {
  it("is still meant if it is a pick, and somebody else has picked", () => {
    expect(isStillApplicable({ type: "pick", side: 1 }, PICKING, later(PICKING))).toBe(true);
  });

  it("is not if other boards are picked by now", () => {
    const setup = { ...PICKING.setup!, phase: "ready" as const };
    expect(isStillApplicable({ type: "pick", side: 1 }, PICKING, later(PICKING, { setup }))).toBe(false);
  });

  it("is not if one may not any more", () => {
    const you = { ...PICKING.you, may: [] };
    expect(isStillApplicable({ type: "pick", side: 1 }, PICKING, later(PICKING, { you }))).toBe(false);
  });

  it("is not if the table has come to another stage", () => {
    expect(isStillApplicable({ type: "concede" }, PICKING, PLAYING)).toBe(false);
  });

  it("is not if it is a turn: whoever gave it looks again", () => {
    expect(isStillApplicable({ type: "play", turn: "36@2-g3/g3" }, PLAYING, later(PLAYING))).toBe(false);
  });
});
