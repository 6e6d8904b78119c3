/** The state of the board editor: the stored sets, the draft with its history, and what the server says about it. */
import { untrack } from "svelte";

import type { App } from "../../app/appContext.svelte";
import { ApiError } from "../../net/client";
import type { Boards, DraftAnswer } from "../../net/types";
import { t } from "../../i18n/i18n.svelte";
import {
  draftOf,
  emptyDraft,
  freeName,
  MOST_SETS,
  readFragment,
  readStored,
  toRequest,
  toStored,
  type BoardsDraft,
  type StoredBoards,
} from "./boardsDraft";

const MOST_STEPS = 200;
/** Milliseconds without a change after which the draft is sent to the server. */
const DEBOUNCE = 200;

export class BoardsModel {
  sets = $state.raw<readonly StoredBoards[]>([]);
  /** Which of the stored sets is edited; null: one that is not stored yet. */
  at = $state<number | null>(null);
  draft = $state.raw<BoardsDraft>(emptyDraft(""));
  /** The server's answer about the draft, or about an earlier state of it. */
  check = $state.raw<DraftAnswer | null>(null);
  /** Why the draft could not be checked; empty if it was. */
  error = $state("");
  /** Whether the draft came with a link and is not stored. */
  shared = $state(false);
  /** Whether the address has boards that cannot be read. */
  damaged = $state(false);
  private checked = $state.raw<BoardsDraft | null>(null);
  private past = $state.raw<readonly BoardsDraft[]>([]);
  /** The field that was changed last. */
  private field = "";
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly app: App,
    fragment: string,
  ) {
    this.sets = readStored(app.settings.boards.value);
    const shared = fragment === "" ? null : readFragment(fragment);
    this.damaged = fragment !== "" && shared === null;
    if (shared !== null) this.show(shared, null, true);
    else if (this.sets[0] !== undefined) this.choose(0);
    else this.show(emptyDraft(t("editor.new_name")), null);
  }

  /** The boards file of the draft; null until the server has found it complete. */
  get file(): string | null {
    return this.checked === this.draft ? (this.check?.file ?? null) : null;
  }

  get undoable(): boolean {
    return this.past.length > 0;
  }

  get full(): boolean {
    return this.sets.length >= MOST_SETS;
  }

  choose(at: number): void {
    const set = this.sets[at];
    if (set !== undefined) this.show(set.draft, at);
    if (set?.file) [this.check, this.checked] = [{ problems: [], boards: null, file: set.file }, set.draft];
  }

  /** Read the sets again that another tab has changed. The edited one is as it is there. */
  sync(): void {
    this.sets = readStored(this.app.settings.boards.value);
    if (this.at === null) return;
    const edited = JSON.stringify(this.draft);
    const at = this.sets.findIndex(({ draft }) => JSON.stringify(draft) === edited);
    if (at >= 0) this.at = at;
    else this.showNear(this.at);
  }

  /** Start another set: empty, or with the content of one. */
  begin(boards: Boards | null = null): void {
    const name = freeName(
      t("editor.new_name"),
      this.sets.map(({ draft }) => draft.name),
    );
    this.keep(boards === null ? emptyDraft(name) : { ...draftOf(boards), name });
  }

  /** Add a set that was read from a file. */
  add(boards: Boards): void {
    this.keep(draftOf(boards));
  }

  /** Store boards that came with a link. */
  keepShared(): void {
    this.keep(this.draft);
  }

  /** Change the draft. Successive changes of one field are one step for undo. */
  change(draft: BoardsDraft, field = ""): void {
    if (field === "" || field !== this.field) this.past = [...this.past, this.draft].slice(-MOST_STEPS);
    this.field = field;
    this.set(draft);
  }

  undo(): void {
    const before = this.past.at(-1);
    if (before === undefined) return;
    this.past = this.past.slice(0, -1);
    this.field = "";
    this.set(before);
  }

  remove(): void {
    const { at } = this;
    if (at !== null) this.save(this.sets.toSpliced(at, 1));
    this.showNear(at ?? 0);
  }

  end(): void {
    clearTimeout(this.timer);
  }

  /** Ask the server what is wrong; an answer about an older draft is ignored. */
  async ask(): Promise<void> {
    const { draft } = this;
    try {
      const check = await this.app.client.checkDraft(toRequest(draft));
      if (this.draft !== draft) return;
      [this.check, this.checked, this.error] = [check, draft, ""];
      if (this.at !== null) this.store(this.at);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.draft === draft) this.error = error.problem.sentence;
    }
  }

  private keep(draft: BoardsDraft): void {
    if (this.full) return this.app.showError({ sentence: t("editor.full", { most: MOST_SETS }), rule: null });
    this.save([...this.sets, { draft, file: null }]);
    this.choose(this.sets.length - 1);
  }

  private showNear(at: number): void {
    const left = Math.min(at, this.sets.length - 1);
    if (left >= 0) this.choose(left);
    else this.show(emptyDraft(t("editor.new_name")), null);
  }

  private show(draft: BoardsDraft, at: number | null, shared = false): void {
    [this.draft, this.at, this.shared] = [draft, at, shared];
    [this.past, this.field, this.check, this.checked] = [[], "", null, null];
    untrack(() => void this.ask());
  }

  private set(draft: BoardsDraft): void {
    this.draft = draft;
    this.shared = false;
    if (this.at !== null) this.store(this.at);
    else if (!this.full) {
      this.save([...this.sets, { draft, file: null }]);
      this.at = this.sets.length - 1;
    }
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(), DEBOUNCE);
  }

  private store(at: number): void {
    this.save(this.sets.with(at, { draft: this.draft, file: this.file }));
  }

  private save(sets: readonly StoredBoards[]): void {
    this.sets = sets;
    this.app.settings.boards.save(sets.map(toStored));
  }
}
