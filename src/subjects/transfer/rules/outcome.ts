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
export const MAX_NAMES = 10;
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
