import { isRecord } from '#lib/json.ts';
import { COMMITMENTS, type Committed, committedText, type Head, type LedgerRow, NO_HASH } from './line.ts';

/**
 * SHA-256 of a text's UTF-8 bytes, as 64 hex characters in lower case.
 * @param bytes these bytes, where they are known
 */
export type Sha256 = (text: string, bytes?: Uint8Array) => string;

/** Characters of a hash. */
export const HASH_LENGTH = 64;

/** What of a line does not fit. */
export type FaultOf = 'form' | 'number' | 'previous' | 'hash' | Committed;

/** The first line that does not fit: its place in the chain, what it had to be, and what is there. */
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

/** What came of lines that follow each other: the hashes of those that fit, and what was looked at. */
export type Checked = {
  /** One after the other, without anything between them. */
  hashes: string;
  /** How many names and texts were looked at. */
  opened: number;
  /** The first line that does not fit; null while all do. */
  fault: Fault | null;
};

/**
 * Goes through lines of a ledger: each must have the next number, carry the hash of the line before, and have the hash that
 * stands beside it; names and texts that are told beside it must be those that it committed to.
 */
export class LedgerCheck {
  #hashes = '';
  #last: Head | null;
  #opened = 0;
  #fault: Fault | null = null;

  /** @param from the line before the first of them; null for the beginning of the ledger */
  constructor(
    private readonly sha256: Sha256,
    from: Head | null = null,
  ) {
    this.#last = from;
  }

  get result(): Checked {
    return { hashes: this.#hashes, opened: this.#opened, fault: this.#fault };
  }

  /** Takes the next line. @returns false from the first one on that does not fit */
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
    const said = parsed(row.line);
    if (said === null) return fault('form', 'one JSON object', row.line);
    if (said['number'] !== number) return fault('number', String(number), said['number']);
    if (said['previous'] !== previous) return fault('previous', previous, said['previous']);
    for (const { of, salt, text } of row.openings) {
      if (!COMMITMENTS.includes(of)) continue;
      this.#opened += 1;
      const made = this.sha256(committedText(salt, text));
      if (said[of] !== made) return fault(of, shown(said[of]), made);
    }
    return null;
  }
}
