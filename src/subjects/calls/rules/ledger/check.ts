import { isRecord } from '../../../../lib/json.ts';
import { COMMITMENTS, type Committed, committedText, type Head, type LedgerRow, NO_HASH } from './line.ts';

/** SHA-256 of a text's UTF-8 bytes, as 64 hex characters in lower case. */
export type Sha256 = (text: string) => string;

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

/**
 * Goes through a ledger from its first line on: each must have the next number, carry the hash of the line before, and have
 * the hash that stands beside it; names and texts that are told beside it must be those that it committed to.
 */
export class LedgerCheck {
  readonly #hashes: string[] = [];
  #opened = 0;
  #fault: Fault | null = null;

  constructor(private readonly sha256: Sha256) {}

  /** The first line that does not fit; null while all do. */
  get fault(): Fault | null {
    return this.#fault;
  }

  /** How many lines fit so far. */
  get checked(): number {
    return this.#hashes.length;
  }

  /** How many names and texts were looked at. */
  get opened(): number {
    return this.#opened;
  }

  /** The last line that fits. */
  get head(): Head | null {
    const hash = this.#hashes.at(-1);
    return hash === undefined ? null : { number: this.checked, hash };
  }

  /** The hash of a line that fits; null for any other. */
  hashOf(number: number): string | null {
    return this.#hashes[number - 1] ?? null;
  }

  /** Takes the next line. @returns false from the first one on that does not fit */
  add(row: LedgerRow): boolean {
    if (this.#fault !== null) return false;
    this.#fault = this.#faultOf(row);
    if (this.#fault !== null) return false;
    this.#hashes.push(row.hash);
    return true;
  }

  #faultOf(row: LedgerRow): Fault | null {
    const number = this.checked + 1;
    const fault = (of: FaultOf, expected: string, found: unknown): Fault => ({
      ...{ number, of, expected, row },
      found: shown(found),
    });
    const hash = this.sha256(row.line);
    if (hash !== row.hash) return fault('hash', row.hash, hash);
    const previous = this.#hashes.at(-1) ?? NO_HASH;
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
