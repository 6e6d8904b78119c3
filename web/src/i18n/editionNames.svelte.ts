/** What an edition calls its motifs, rows and expansions in the reader's language. */
import type { Client } from "../net/client";
import type { Edition, Expansion, Words } from "../net/types";

export class EditionNames {
  private words = $state.raw<Words | null>(null);

  constructor(readonly edition: Edition) {}

  /** Ask for the names in the client's language; those known before stay until then. */
  async load(client: Client): Promise<void> {
    this.words = await client.editionWords(this.edition);
  }

  motif(column: string): string {
    return this.words?.motifs[column] ?? column;
  }

  row(row: number): string {
    return this.words?.rows[`${row}`] ?? `${row}`;
  }

  expansion(name: Expansion): string {
    return this.words?.expansions[name] ?? name;
  }
}
