import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { type ReadonlySignal, signal } from '@preact/signals-react';
import { LedgerCheck } from '../../rules/ledger/check.ts';
import { type LedgerRow, MAX_PAGE } from '../../rules/ledger/line.ts';
import { lineNo } from '../../rules/ledger/lineNo.ts';
import { ApiError, messageOf } from '../../../../../web/api/client.ts';
import { fetchLines } from './api.ts';

/** How far a verification is. */
export type Progress = {
  isRunning: boolean;
  /** Lines that fit so far, of so many. */
  checked: number;
  total: number;
  /** Whether all was gone through, to the end or to the first line that does not fit. */
  isDone: boolean;
  /** Why it can't go on; null where it can. */
  error: string | null;
};

/** So long the page's thread is held at most, ms: below what a finger or an eye notices. */
const SLICE_MS = 10;

const FAILED = 'The ledger could not be loaded. Try again.';
const missingText = (total: number, given: number): string =>
  `The server says that its ledger ends at ${lineNo(total)}, and gives it only up to ${lineNo(given)}.`;

// The browser's own hashing is not there on a server that is reached by plain http; and it costs a turn of the loop a line.
function createHex(): (text: string) => string {
  const encoder = new TextEncoder();
  // A line is short: its bytes take the place of those of the line before.
  let bytes = new Uint8Array(4096);
  return (text) => {
    // Three bytes a character at most.
    if (bytes.length < text.length * 3) bytes = new Uint8Array(text.length * 3);
    const { written } = encoder.encodeInto(text, bytes);
    return bytesToHex(sha256(bytes.subarray(0, written)));
  };
}

/** Lets the page do what waits. A timer would come once a second in a window that is out of sight. */
function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** So many pages are on their way while one is gone through. */
const AHEAD = 3;

/** Pages that were asked for before they are needed. */
class ComingPages {
  /** By the number of the line before each. */
  readonly #asked = new Map<number, ReturnType<typeof fetchLines>>();

  constructor(private readonly signal: AbortSignal) {}

  after(number: number): ReturnType<typeof fetchLines> {
    const asked = this.#asked.get(number);
    this.#asked.delete(number);
    return asked ?? fetchLines(number, MAX_PAGE, this.signal);
  }

  /** Asks for the pages from a line on. @param total of so many lines */
  ask(from: number, total: number): void {
    for (let after = from; after < Math.min(total, from + AHEAD * MAX_PAGE); after += MAX_PAGE) {
      if (this.#asked.has(after)) continue;
      const page = fetchLines(after, MAX_PAGE, this.signal);
      // Whoever stops does not wait for it; whoever needs it hears of its failure.
      page.catch(() => {});
      this.#asked.set(after, page);
    }
  }
}

/** Goes through the ledger in this browser, from its first line on; the server's word counts for nothing. */
export class Verification {
  readonly check = new LedgerCheck(createHex());
  readonly #progress = signal<Progress>({
    ...{ isRunning: false, checked: 0, total: 0, isDone: false, error: null },
  });
  #running: AbortController | null = null;

  get progress(): ReadonlySignal<Progress> {
    return this.#progress;
  }

  /** Begins, or goes on where it was stopped or failed. */
  async run(): Promise<void> {
    if (this.#running !== null || this.#progress.peek().isDone) return;
    const running = new AbortController();
    this.#running = running;
    this.#tell({ isRunning: true, error: null });
    try {
      await this.#goThrough(running.signal);
      if (!running.signal.aborted) this.#tell({ isDone: true });
    } catch (error) {
      if (!running.signal.aborted) this.#tell({ error: messageOf(error, FAILED) });
    } finally {
      if (this.#running === running) {
        this.#running = null;
        this.#tell({ isRunning: false });
      }
    }
  }

  /** Stops; `run` goes on from there. */
  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#tell({ isRunning: false });
  }

  async #goThrough(signal: AbortSignal): Promise<void> {
    const coming = new ComingPages(signal);
    for (;;) {
      const { lines, head } = await coming.after(this.check.checked);
      const total = head?.number ?? 0;
      const given = this.check.checked + lines.length;
      if (lines.length === 0 && given < total) throw new ApiError(missingText(total, given), 502, null);
      this.#tell({ total });
      coming.ask(given, total);
      if (!(await this.#take(lines, signal)) || given >= total) return;
    }
  }

  /** @returns whether all of them fit, and nobody stopped it */
  async #take(rows: readonly LedgerRow[], signal: AbortSignal): Promise<boolean> {
    let until = performance.now() + SLICE_MS;
    for (const row of rows) {
      if (!this.check.add(row)) break;
      if (performance.now() < until) continue;
      await nextTurn();
      if (signal.aborted) return false;
      until = performance.now() + SLICE_MS;
    }
    this.#tell({ checked: this.check.checked });
    return this.check.fault === null;
  }

  #tell(change: Partial<Progress>): void {
    this.#progress.value = { ...this.#progress.peek(), ...change };
  }
}
