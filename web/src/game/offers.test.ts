import { expect, test } from "vitest";

import type { ChairView, TableView } from "../net/types";
import type { LogEntry } from "./eventLog";
import { declinedOffers, offerOutcome, offerRole, unanswered } from "./offers";

const person = (chair: number, more: Partial<ChairView> = {}) =>
  ({ chair, sitter: "person", away: false, conceded: false, ...more }) as ChairView;
const chairs = [
  person(0),
  person(1),
  person(2, { away: true }),
  person(3, { sitter: "computer" as ChairView["sitter"] }),
];
const offer = { number: 1, what: "pause" as const, chair: 0, agreed: [0] };
const entry = (kind: string, chair: number) => ({ kind, chair, seq: 5 }) as LogEntry;

test("people who decide are asked; stand-ins and computer players are not", () => {
  expect(unanswered({ chairs, offer })).toEqual([1]);
  expect(offerRole({ chairs, offer }, [1])).toBe("answers");
  expect(offerRole({ chairs, offer }, [0])).toBe("waits");
  expect(offerRole({ chairs, offer }, [0, 1])).toBe("answers"); // two people at one screen
  expect(offerRole({ chairs, offer }, [])).toBe("watches");
  expect(offerRole({ chairs, offer }, [2])).toBe("watches");
});

test("what was declined cannot be asked again in the same turn", () => {
  const you = { chair: 0, offers: ["pause"] } as unknown as TableView["you"];
  expect(declinedOffers({ chairs, offer: null, you })).toEqual(["abandon"]);
  expect(declinedOffers({ chairs, offer, you })).toEqual([]); // one offer at a time
  expect(declinedOffers({ chairs, offer: null, you: { ...you, chair: 2 } })).toEqual([]); // a stand-in plays
  const alone = [person(0), person(1, { conceded: true })];
  expect(declinedOffers({ chairs: alone, offer: null, you })).toEqual([]); // nobody to ask
});

test("how an offer has ended", () => {
  expect(offerOutcome(offer, [entry("accept", 1), entry("decline", 2)])).toEqual({ type: "declined", by: 2 });
  expect(offerOutcome(offer, [entry("paused", 1)])).toEqual({ type: "paused" });
  expect(offerOutcome({ ...offer, what: "take_back" }, [entry("take_back", 0)])).toEqual({
    type: "taken_back",
  });
  expect(offerOutcome(offer, [entry("turn", 1)])).toEqual({ type: "lapsed" });
});
