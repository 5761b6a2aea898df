/** What a transfer file is made of, in the order in which it is taken: later kinds read earlier ones. */
export const TRANSFER_KINDS = [
  'columns',
  'indicators',
  'watchlists',
  'scans',
  'alerts',
  'scanAlerts',
  'preferences',
  'quietHours',
] as const;
export type TransferKindName = (typeof TRANSFER_KINDS)[number];

/** While a file is written: the numbers that saved scans have in it, by their ids here. */
export type Giving = { userId: number; scanNumbers: Map<number, number> };

/** While a file is taken. */
export type Taking = {
  userId: number;
  /** Alerts that were on come in switched on. */
  switchOn: boolean;
  /** The ids here of the file's saved scans, by their numbers in it; a scan that is not here has none. */
  scanIds: Map<number, number>;
};

/** What was done within the transaction, and what is to be done once it is committed. */
export type Taken = { outcome: Outcome; afterwards: () => void };

/** One kind of things that a person takes to another server; each subject gives its own. */
export type TransferKind = {
  /** @returns JSON without ids, chats, addresses and secrets; undefined for what a person never chose */
  give(giving: Giving): unknown;
  /**
   * Takes what may be taken, by the rules and limits of the subject. Within the caller's transaction, which may be rolled
   * back: it touches nothing but the database.
   * @param value its form was checked
   */
  take(taking: Taking, value: unknown): Taken;
  /** Finds what is here already, where the kind itself is not taken but others read it. */
  match?(taking: Taking, value: unknown): void;
};

/** All kinds, by name. */
export type TransferKinds = Readonly<Record<TransferKindName, TransferKind>>;

/** One of the choices that make up the preferences of a person. */
export type TransferPreference = {
  /** Undefined where it is what everybody begins with: that is not to take the place of a choice elsewhere. */
  give(userId: number): unknown;
  /**
   * Within the caller's transaction.
   * @returns whether it was another one
   * @throws AppError 400 for what is no such choice
   */
  put(userId: number, value: unknown): boolean;
};

/** What a user's windows are told, on the alert stream. */
export type TransferEvents = {
  /** A file was taken: settings, columns, lists and alerts are to be read again. */
  set_up_changed: Record<string, never>;
};

/** Tells a user's open windows, wherever there are some. */
export type TransferNotifier = { setUpChanged(userId: number): void };

/** Things of which the same is said: why they were left out, or how they came in another form. */
export type Told = {
  /** A whole sentence. */
  text: string;
  count: number;
  /** The first of them, as a person knows them. */
  names: string[];
};

/** What became, or would become, of one kind of things of a transfer file. */
export type Outcome = {
  added: number;
  changed: number;
  /** They are here already. */
  same: number;
  leftOut: Told[];
  /** Taken, but not as they were. */
  notes: Told[];
};

/** A sentence is followed by so many names. */
const MAX_NAMES = 10;
const MAX_NAME_LENGTH = 60;
/** Different sentences of one kind: what is beyond them is said in one. */
const MAX_TEXTS = 20;
const MORE = 'Other reasons.';

/** Counts what becomes of the things of one kind, one after the other. */
export class Tally {
  #added = 0;
  #changed = 0;
  #same = 0;
  readonly #leftOut = new Map<string, Told>();
  readonly #notes = new Map<string, Told>();

  add(): void {
    this.#added += 1;
  }

  change(): void {
    this.#changed += 1;
  }

  keep(): void {
    this.#same += 1;
  }

  /** @param name of the thing, @param text a whole sentence that says why */
  leaveOut(name: string, text: string): void {
    tell(this.#leftOut, name, text);
  }

  /** Of a thing that is also added or changed. */
  note(name: string, text: string): void {
    tell(this.#notes, name, text);
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

function tell(told: Map<string, Told>, name: string, sentence: string): void {
  const text = told.has(sentence) || told.size < MAX_TEXTS ? sentence : MORE;
  const known = told.get(text) ?? { text, count: 0, names: [] };
  told.set(text, known);
  known.count += 1;
  if (known.names.length < MAX_NAMES) known.names.push(name.slice(0, MAX_NAME_LENGTH));
}
