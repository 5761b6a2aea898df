import { type ReadonlySignal, signal } from '@preact/signals-react';
import { CheckedChain } from '#subjects/calls/rules/ledger/check.ts';
import { lineNo } from '#subjects/calls/rules/ledger/line.ts';
import { MAX_ROWS } from '#subjects/calls/rules/ledger/rows.ts';
import { ApiError, messageOf } from '#web/api/client.ts';
import { fetchPiece, fetchToldApart, type Piece } from '../api.ts';
import { type Checker, createChecker } from './checker.ts';

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

const FAILED = 'The ledger could not be loaded. Try again.';
const missingText = (total: number, given: number): string =>
  `The server says that its ledger ends at ${lineNo(total)}, and gives it only up to ${lineNo(given)}.`;

/** So many pieces are on their way while one is gone through. */
const AHEAD = 3;

/** Pieces that were asked for before they are needed. */
class ComingPieces {
  /** By the number of the line before each. */
  readonly #asked = new Map<number, Promise<Piece>>();

  constructor(private readonly signal: AbortSignal) {}

  after(number: number): Promise<Piece> {
    const asked = this.#asked.get(number);
    this.#asked.delete(number);
    return asked ?? fetchPiece(number, this.signal);
  }

  /** Asks for the pieces from a line on. @param total of so many lines */
  ask(from: number, total: number): void {
    for (let after = from; after < Math.min(total, from + AHEAD * MAX_ROWS); after += MAX_ROWS) {
      if (this.#asked.has(after)) continue;
      const piece = fetchPiece(after, this.signal);
      // Whoever stops does not wait for it; whoever needs it hears of its failure.
      piece.catch(() => {});
      this.#asked.set(after, piece);
    }
  }
}

/** Goes through the ledger in this browser, from its first line on; the server's word counts for nothing. */
export class Verification {
  readonly chain = new CheckedChain();
  readonly #progress = signal<Progress>({
    isRunning: false,
    checked: 0,
    total: 0,
    isDone: false,
    error: null,
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
    const checker = createChecker();
    try {
      await this.#goThrough(checker, running.signal);
      if (!running.signal.aborted) this.#tell({ isDone: true });
    } catch (error) {
      if (!running.signal.aborted) this.#tell({ error: messageOf(error, FAILED) });
    } finally {
      checker.close();
      // What is still on its way is of no use.
      running.abort();
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

  async #goThrough(checker: Checker, signal: AbortSignal): Promise<void> {
    const { chain } = this;
    const coming = new ComingPieces(signal);
    for (;;) {
      const before = chain.checked;
      const piece = await coming.after(before);
      const total = piece.head?.number ?? 0;
      if (!signal.aborted) this.#tell({ total });
      coming.ask(before + MAX_ROWS, total);
      await this.#take(checker, piece, signal);
      if (signal.aborted || chain.fault !== null || chain.checked >= total) return;
      if (chain.checked === before) throw new ApiError(missingText(total, before), 502, null);
    }
  }

  async #take(checker: Checker, { rows }: Piece, signal: AbortSignal): Promise<void> {
    const from = this.chain.head;
    let checked = await checker.check({ rows, from }, signal);
    if (checked === null) {
      const toldApart = await fetchToldApart(this.chain.checked, signal);
      checked = await checker.check({ rows: toldApart.rows, from }, signal);
    }
    // Somebody may have let it run again meanwhile.
    if (checked === null || signal.aborted) return;
    this.chain.take(checked);
    this.#tell({ checked: this.chain.checked });
  }

  #tell(change: Partial<Progress>): void {
    this.#progress.value = { ...this.#progress.peek(), ...change };
  }
}
