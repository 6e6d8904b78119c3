/** The drawings of the rules: six lines of nine signs become a garden, and the squares that the text speaks of. */
import type { Garden } from "../../game/garden";
import { COLUMNS, ROWS, squareAt, type Column, type Mark, type Square } from "../../game/notation";

export interface Drawing {
  readonly garden: Garden;
  readonly spokenOf: ReadonlySet<Square>;
}

const MARKS: Readonly<Record<string, Mark>> = { 1: "+1", 2: "+2", 3: "+3", g: "g3", "-": "-2", "=": "-3" };

/** Reads a drawing; its signs are explained in the protocol (RuleParagraph). */
export function parseDiagram(text: string): Drawing {
  const lines = text.split("\n");
  const signs = ROWS.flatMap((row) =>
    COLUMNS.map((column, index) => ({
      column,
      square: squareAt(column, row),
      sign: lines[row - 1]?.[index] ?? ".",
    })),
  );
  const having = (wanted: string) => signs.filter(({ sign }) => wanted.includes(sign));
  const squares = (wanted: string) => new Set(having(wanted).map(({ square }) => square));
  const marked = having(Object.keys(MARKS).join(""));
  return {
    garden: {
      printed: new Set(),
      built: squares("#%NT"),
      gardeners: squares("%"),
      nobles: new Map(having("N").map(({ column, square }): [Column, Square] => [column, square])),
      boar: having("&")[0]?.square ?? null,
      rewards: marked.length === 0 ? null : new Map(marked.map(({ square, sign }) => [square, MARKS[sign]!])),
    },
    spokenOf: squares("*"),
  };
}

/** The columns whose nobles a drawing shows; of the others it says nothing, and none is drawn. */
export function noblesInDiagram(text: string): ReadonlySet<Column> {
  const lines = text.split("\n");
  return new Set(COLUMNS.filter((_, index) => lines.some((line) => "NT".includes(line[index] ?? "."))));
}
