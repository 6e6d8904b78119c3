import { describe, expect, it } from "vitest";

import type { PlayedGame, Score } from "../../net/types";
import {
  byOpponent,
  scoreHistory,
  mean,
  opponentOf,
  partsIn,
  PEOPLE,
  scoreRange,
  barPieces,
  winCount,
  writeCsv,
} from "./statistics";

const NOTHING: Score = { total: 0, nobles: 0, rewards: 0, boar: 0, rows: 0, columns: 0, missions: 0 };

function game(players: readonly (string | null)[], won = true, more: Partial<PlayedGame> = {}): PlayedGame {
  const score = { ...NOTHING, total: 20, nobles: 20 };
  return {
    table: "0123456789abcdef",
    ended_at: 1_700_000_000,
    edition: "imperial",
    expansions: ["rewards", "wild_boar"],
    manner: "played",
    seat: 0,
    winners: [won ? 0 : 1],
    conceded: false,
    taken_back: 0,
    seats: [{ player: null, total: 20 }, ...players.map((player) => ({ player, total: 10 }))],
    score,
    ...more,
  };
}

describe("the opponent of a game", () => {
  it("is the strongest computer player, or people if there were any", () => {
    expect(opponentOf(game(["level:2", "level:10", "level:9"]))).toBe("level:10");
    expect(opponentOf(game(["random"]))).toBe("random");
    expect(opponentOf(game(["level:4", null]))).toBe(PEOPLE);
  });

  it("is listed from the weakest to people, with wins by number of seats", () => {
    const games = [game([null]), game(["level:4"]), game(["level:4"], false), game(["level:2", "level:4"])];
    const found = byOpponent([...games, game(["level:1"], false), game(["greedy"])]);
    expect(found.map(({ opponent }) => opponent)).toEqual(["greedy", "level:1", "level:4", PEOPLE]);
    expect(found[2]).toMatchObject({ games: 3, won: 2 });
    expect([...found[2]!.bySeats]).toEqual([
      [2, { games: 2, won: 1 }],
      [3, { games: 1, won: 1 }],
    ]);
  });

  it("counts a shared victory as won", () => {
    expect(winCount([game(["level:4"], true, { winners: [0, 1] })])).toEqual({ games: 1, won: 1 });
  });
});

describe("points over time", () => {
  it("contain finished games only, oldest first, up to a limit", () => {
    const games = [5, 4, 3, 2, 1].map((at) => game(["level:4"], true, { ended_at: at }));
    games[1] = { ...games[1]!, manner: "conceded" };
    games[2] = { ...games[2]!, conceded: true };
    expect(scoreHistory(games).map((one) => one.ended_at)).toEqual([1, 2, 5]);
    expect(scoreHistory(games, 2).map((one) => one.ended_at)).toEqual([2, 5]);
  });

  it("are stacked: gains above the zero line, losses below it", () => {
    const score = { total: 17, nobles: 20, rows: 7, columns: 0, missions: 3, rewards: -4, boar: -9 };
    expect(barPieces(score)).toEqual([
      { part: "nobles", from: 0, to: 20 },
      { part: "rows", from: 20, to: 27 },
      { part: "missions", from: 27, to: 30 },
      { part: "rewards", from: 0, to: -4 },
      { part: "boar", from: -4, to: -13 },
    ]);
    const games = [game([null], true, { score })];
    expect(scoreRange(games)).toEqual({ least: -20, most: 30 });
    expect(partsIn(games)).toEqual(["nobles", "rows", "missions", "rewards", "boar"]);
  });

  it("have a mean; null without games", () => {
    const other = game([null], true, { score: { ...NOTHING, total: 25 } });
    expect(mean([game([null]), other], ({ total }) => total)).toBe(22.5);
    expect(mean([], ({ total }) => total)).toBeNull();
    expect(scoreRange([])).toEqual({ least: 0, most: 10 });
  });
});

it("the CSV file has a line for each game, oldest first", () => {
  const [head, line, next, end] = writeCsv([game([null], false, { ended_at: 9 }), game(["level:4"])]).split(
    "\r\n",
  );
  expect(head).toBe(
    "ended,table,edition,expansions,seats,seat,opponents,manner,conceded,won,taken_back,total," +
      "nobles,rows,columns,missions,rewards,boar",
  );
  expect(line).toBe(
    "2023-11-14T22:13:20.000Z,0123456789abcdef,imperial,rewards+wild_boar,2,1,level:4,played,0,1,0,20,20,0,0,0,0,0",
  );
  expect(next).toContain(",2,1,people,played,0,0,");
  expect(end).toBe("");
});
