/** The names of the motifs, rows and expansions of an edition, in the language of the page. */
import type { Client } from "../net/client";
import type { Edition, Expansion, Words } from "../net/types";

export class EditionNames {
  private words = $state.raw<Words | null>(null);

  constructor(readonly edition: Edition) {}

  /** Load the names in the language of the client; the previous ones stay until then. */
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
