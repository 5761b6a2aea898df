import { type Checked, type Fault, HASH_LENGTH } from './check.ts';
import type { Head } from './line.ts';

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
