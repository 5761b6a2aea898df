import { isRecord } from '#lib/json.ts';
import { SALTED_HASHES } from '#subjects/calls/answers/board.ts';
import {
  type Committed,
  committedText,
  type LatestEntry,
  type LedgerRow,
  entryName,
  NO_HASH,
} from './entry.ts';

/** SHA-256 of a text's UTF-8 bytes, as 64 lower-case hex characters. @param bytes the same bytes, if known */
export type Sha256 = (text: string, bytes?: Uint8Array) => string;

const HASH_LENGTH = 64;

type FaultOf = 'form' | 'number' | 'previous' | 'hash' | Committed;

/** The first invalid entry: its number, and the expected and the found value. */
export type Fault = { number: number; of: FaultOf; expected: string; found: string; row: LedgerRow };

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const shown = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');

export type Checked = {
  hashes: string;
  opened: number;
  fault: Fault | null;
};

/**
 * Verifies entries: the next number, the hash of the previous entry, and its own hash. Revealed names and texts must
 * match their salted hashes.
 */
export class LedgerCheck {
  #hashes = '';
  #last: LatestEntry | null;
  #opened = 0;
  #fault: Fault | null = null;

  /** @param from the entry before the first one to verify; null for the start of the ledger */
  constructor(
    private readonly sha256: Sha256,
    from: LatestEntry | null = null,
  ) {
    this.#last = from;
  }

  get result(): Checked {
    return { hashes: this.#hashes, opened: this.#opened, fault: this.#fault };
  }

  /** @returns false from the first invalid entry on */
  add(row: LedgerRow): boolean {
    if (this.#fault !== null) return false;
    this.#fault = this.#faultOf(row);
    if (this.#fault !== null) return false;
    this.#hashes += row.hash;
    this.#last = { number: (this.#last?.number ?? 0) + 1, hash: row.hash };
    return true;
  }

  #faultOf(row: LedgerRow): Fault | null {
    const number = (this.#last?.number ?? 0) + 1;
    const fault = (of: FaultOf, expected: string, found: unknown): Fault => ({
      number,
      of,
      expected,
      row,
      found: shown(found),
    });
    const hash = this.sha256(row.line, row.bytes);
    if (hash !== row.hash) return fault('hash', row.hash, hash);
    const previous = this.#last?.hash ?? NO_HASH;
    const value = parsed(row.line);
    if (value === null) return fault('form', 'one JSON object', row.line);
    if (value['number'] !== number) return fault('number', String(number), value['number']);
    if (value['previous'] !== previous) return fault('previous', previous, value['previous']);
    for (const { of, salt, text } of row.openings) {
      if (!SALTED_HASHES.includes(of)) continue;
      this.#opened += 1;
      const made = this.sha256(committedText(salt, text));
      if (value[of] !== made) return fault(of, shown(value[of]), made);
    }
    return null;
  }
}

/** A ledger that was verified batch by batch from its first entry. */
export class CheckedChain {
  #hashes = '';
  #latest: LatestEntry | null = null;
  #opened = 0;
  #fault: Fault | null = null;

  get fault(): Fault | null {
    return this.#fault;
  }

  get checked(): number {
    return this.#latest?.number ?? 0;
  }

  get opened(): number {
    return this.#opened;
  }

  get head(): LatestEntry | null {
    return this.#latest;
  }

  hashOf(number: number): string | null {
    if (number < 1 || number > this.checked) return null;
    return this.#hashes.slice((number - 1) * HASH_LENGTH, number * HASH_LENGTH);
  }

  /** Adds the result of the next entries. */
  take({ hashes, opened, fault }: Checked): void {
    this.#hashes += hashes;
    const checked = this.#hashes.length / HASH_LENGTH;
    if (hashes !== '') this.#latest = { number: checked, hash: hashes.slice(-HASH_LENGTH) };
    this.#opened += opened;
    this.#fault = fault;
  }
}

const FAULT_TEXTS: Readonly<Record<FaultOf, string>> = {
  form: 'it is not a ledger entry',
  number: 'its number does not match its position',
  previous: 'it does not contain the hash of the previous entry',
  hash: 'its text does not match its hash',
  name: 'the name shown does not match its salted hash',
  rationale: 'the rationale shown does not match its salted hash',
  reason: 'the reason shown does not match its salted hash',
};

/** Describes a fault: 'The chain breaks at entry 5: it does not contain the hash of the previous entry.' */
export const faultText = ({ number, of }: Fault): string =>
  `The chain breaks at ${entryName(number)}: ${FAULT_TEXTS[of]}.`;
