import { isRecord } from '#lib/json.ts';
import {
  COMMITMENTS,
  type Committed,
  committedText,
  type Head,
  type LedgerRow,
  lineNo,
  NO_HASH,
} from './line.ts';

/**
 * SHA-256 of a text's UTF-8 bytes, as 64 hex characters in lower case.
 * @param bytes these bytes, where they are known
 */
export type Sha256 = (text: string, bytes?: Uint8Array) => string;

/** Characters of a hash. */
const HASH_LENGTH = 64;

/** What of a line does not fit. */
type FaultOf = 'form' | 'number' | 'previous' | 'hash' | Committed;

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

/** A ledger as far as it was gone through, piece by piece from its first line on. */
export class CheckedChain {
  /** Of the lines that fit, one after the other. */
  #hashes = '';
  #head: Head | null = null;
  #opened = 0;
  #fault: Fault | null = null;

  /** The first line that does not fit; null while all do. */
  get fault(): Fault | null {
    return this.#fault;
  }

  /** How many lines fit so far. */
  get checked(): number {
    return this.#head?.number ?? 0;
  }

  /** How many names and texts were looked at. */
  get opened(): number {
    return this.#opened;
  }

  /** The last line that fits. */
  get head(): Head | null {
    return this.#head;
  }

  /** The hash of a line that fits; null for any other. */
  hashOf(number: number): string | null {
    if (number < 1 || number > this.checked) return null;
    return this.#hashes.slice((number - 1) * HASH_LENGTH, number * HASH_LENGTH);
  }

  /** Takes what came of the lines after the head. */
  take({ hashes, opened, fault }: Checked): void {
    this.#hashes += hashes;
    const checked = this.#hashes.length / HASH_LENGTH;
    if (hashes !== '') this.#head = { number: checked, hash: hashes.slice(-HASH_LENGTH) };
    this.#opened += opened;
    this.#fault = fault;
  }
}

const TOLD: Readonly<Record<FaultOf, string>> = {
  form: 'it is no line of a ledger',
  number: 'it has another number than its place',
  previous: 'it carries another hash than that of the line before',
  hash: 'its text has another hash than the one beside it',
  name: 'the name told beside it is not the one that it committed to',
  rationale: 'the rationale told beside it is not the one that it committed to',
  reason: 'the reason told beside it is not the one that it committed to',
};

/** 'The chain breaks at line 5: it carries another hash than that of the line before.' */
export const faultText = ({ number, of }: Fault): string =>
  `The chain breaks at ${lineNo(number)}: ${TOLD[of]}.`;
