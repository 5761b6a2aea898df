/** Kinds in the order of the import: later kinds refer to earlier ones. */
export const TRANSFER_KINDS = [
  'columns',
  'indicators',
  'watchlists',
  'scans',
  'alerts',
  'scanAlerts',
  'odds',
  'chartLevels',
  'follows',
  'preferences',
  'quietHours',
] as const;
export type TransferKindName = (typeof TRANSFER_KINDS)[number];

/** Context of an export: the numbers in the file of saved scans, by id. */
export type ExportContext = { userId: number; scanNumbers: Map<number, number> };

export type ImportContext = {
  userId: number;
  /** Whether alerts that were on are switched on. */
  switchOn: boolean;
  /** Ids of the file's saved scans by their numbers; those that could not be imported are missing. */
  scanIds: Map<number, number>;
};

/** The result of an import in its transaction, and the work for after the commit. */
export type Imported = { outcome: Outcome; afterwards: () => void };

export type TransferKind = {
  /** @returns JSON without ids, chats, addresses and secrets; undefined if the user never chose anything */
  exportValue(context: ExportContext): unknown;
  /**
   * Imports a value by the subject's rules and limits. It runs in the caller's transaction, which may be rolled back,
   * so it only changes the database.
   * @param value its form was checked
   */
  importValue(context: ImportContext, value: unknown): Imported;
  /** Finds existing entries if this kind is not imported but other kinds refer to it. */
  match?(context: ImportContext, value: unknown): void;
};

export type TransferKinds = Readonly<Record<TransferKindName, TransferKind>>;

export type TransferPreference = {
  /** The preference; undefined for the default, which must not replace a choice on another server. */
  exportValue(userId: number): unknown;
  /** Runs in the caller's transaction. @returns whether the preference changed @throws AppError 400 if it is invalid */
  put(userId: number, value: unknown): boolean;
};

export type TransferEvents = {
  /** A file was imported, so reload settings, columns, lists and alerts. */
  set_up_changed: Record<string, never>;
};

export type TransferNotifier = { setUpChanged(userId: number): void };

/** Entries that were dropped or changed for the same reason. */
export type Note = {
  text: string;
  count: number;
  names: string[];
};

export type Outcome = {
  added: number;
  changed: number;
  same: number;
  leftOut: Note[];
  notes: Note[];
};

const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 60;
/** Limit of different sentences per kind; one more covers the rest. */
const MAX_TEXTS = 20;
const MORE = 'Other reasons.';

export class Tally {
  #added = 0;
  #changed = 0;
  #same = 0;
  readonly #leftOut = new Map<string, Note>();
  readonly #notes = new Map<string, Note>();

  add(): void {
    this.#added += 1;
  }

  change(): void {
    this.#changed += 1;
  }

  keep(): void {
    this.#same += 1;
  }

  /** @param name of the entry @param text a sentence that says why */
  leaveOut(name: string, text: string): void {
    note(this.#leftOut, name, text);
  }

  note(name: string, text: string): void {
    note(this.#notes, name, text);
  }

  outcome(): Outcome {
    return {
      added: this.#added,
      changed: this.#changed,
      same: this.#same,
      leftOut: [...this.#leftOut.values()],
      notes: [...this.#notes.values()],
    };
  }
}

function note(noted: Map<string, Note>, name: string, sentence: string): void {
  const text = noted.has(sentence) || noted.size < MAX_TEXTS ? sentence : MORE;
  const known = noted.get(text) ?? { text, count: 0, names: [] };
  noted.set(text, known);
  known.count += 1;
  if (known.names.length < MAX_NAMES) known.names.push(name.slice(0, MAX_NAME_LENGTH));
}
