/** The diagrams of the rules: six lines of nine characters become a garden and its highlighted squares. */
import type { Garden } from "../../game/garden";
import { COLUMNS, ROWS, squareAt, type Column, type Mark, type Square } from "../../game/notation";

export interface Drawing {
  readonly garden: Garden;
  readonly highlighted: ReadonlySet<Square>;
}

const MARKS: Readonly<Record<string, Mark>> = { 1: "+1", 2: "+2", 3: "+3", g: "g3", "-": "-2", "=": "-3" };

/** Reads a diagram; docs/protocol.md explains its characters (RuleParagraph). */
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
      built: squares("#%NTS"),
      gardeners: squares("%"),
      nobles: new Map(having("N").map(({ column, square }): [Column, Square] => [column, square])),
      boar: having("&")[0]?.square ?? null,
      rewards: marked.length === 0 ? null : new Map(marked.map(({ square, sign }) => [square, MARKS[sign]!])),
    },
    highlighted: squares("*S"),
  };
}

/** The columns whose nobles a diagram shows; other nobles are not drawn. */
export function noblesInDiagram(text: string): ReadonlySet<Column> {
  const lines = text.split("\n");
  return new Set(COLUMNS.filter((_, index) => lines.some((line) => "NT".includes(line[index] ?? "."))));
}
