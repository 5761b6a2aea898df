import { type ReadonlySignal, signal } from '@preact/signals-react';
import { CheckedChain, LedgerCheck } from '#subjects/calls/rules/ledger/check.ts';
import { entryName, type LatestEntry, type LedgerRow, MAX_PAGE } from '#subjects/calls/rules/ledger/entry.ts';
import { MAX_ROWS, latestOfRows } from '#subjects/calls/rules/ledger/rows.ts';
import { ApiError, messageOf, NETWORK_ERROR, readerOf, request } from '#web/api/client.ts';
import { ledgerPage } from '#subjects/calls/answers/board.ts';
import type { Known } from '#lib/contract/fields.ts';
import { type Answered, type Asked, linesOf, createHex } from './checkAtOnce.ts';

type Page = Known<typeof ledgerPage>;

/** A batch of entries to verify, unparsed or parsed, and the latest entry of the ledger. */
type Chunk = { rows: Uint8Array<ArrayBuffer> | readonly LedgerRow[]; head: LatestEntry | null };

/** Fetches at most `limit` entries after entry `after`, and the latest entry. @throws ApiError */
export const fetchEntries = (after: number, limit: number, signal?: AbortSignal): Promise<Page> =>
  request('GET /api/calls/ledger', {
    query: { after, limit },
    ...(signal ? { signal } : {}),
    read: readerOf(ledgerPage),
  });

/** Fetches at most `MAX_ROWS` unparsed entries after an entry. @throws ApiError */
async function fetchChunk(after: number, signal: AbortSignal): Promise<Chunk> {
  const query = { after, limit: MAX_ROWS };
  const body = await request('GET /api/calls/ledger/rows', { query, signal });
  const rows = body instanceof ArrayBuffer ? new Uint8Array(body) : null;
  const head = rows === null ? undefined : latestOfRows(rows);
  // A proxy answered instead of the server.
  if (rows === null || head === undefined) throw new ApiError(NETWORK_ERROR, 502, body);
  return { rows, head };
}

/** The latest entry; null if the ledger is empty. @throws ApiError */
export const fetchLatest = async (): Promise<{ head: LatestEntry | null }> => {
  const { head } = await fetchEntries(0, 1);
  return { head };
};

export const FILE_ADDRESS = '/api/calls/ledger/file';

type Checker = {
  /**
   * @param asked the checker takes ownership of the bytes
   * @returns the result of the entries checked before it was stopped. Null requests parsed entries: the text cannot be
   * split, or a worker failed and lost it
   */
  check(asked: Asked, signal: AbortSignal): Promise<Answered>;
  close(): void;
};

/** Longest block of the page's thread, ms: too short to notice. */
const SLICE_MS = 10;

/** Yields to the page. A timer would run only once a second in a hidden window. */
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

/** Checks in the page's own thread, in slices. */
function createPageChecker(): Checker {
  const sha256 = createHex();
  return {
    async check({ rows, from }, signal) {
      const lines = linesOf(rows);
      if (lines === null) return null;
      const check = new LedgerCheck(sha256, from);
      let until = performance.now() + SLICE_MS;
      for (const line of lines) {
        if (!check.add(line)) break;
        if (performance.now() < until) continue;
        await nextTurn();
        if (signal.aborted) break;
        until = performance.now() + SLICE_MS;
      }
      return check.result;
    },
    close: () => {},
  };
}

/** @throws Error when the worker fails, or on abort */
function answerOf(worker: Worker, asked: Asked, signal: AbortSignal): Promise<Answered> {
  const { promise, resolve, reject } = Promise.withResolvers<Answered>();
  worker.onmessage = ({ data }: MessageEvent<Answered>) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(message));
  signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  worker.postMessage(asked, asked.rows instanceof Uint8Array ? [asked.rows.buffer] : []);
  return promise;
}

function openWorker(): Worker | null {
  const script = document.documentElement.dataset.ledgerWorker;
  if (!script || typeof Worker === 'undefined') return null;
  try {
    return new Worker(script, { name: 'bellbird-ledger' });
  } catch (problem) {
    console.warn('No worker could be started. The page verifies the ledger.', problem);
    return null;
  }
}

/** Verifies in a worker. Without one, or after it fails, verifies in the page's thread. */
export function createChecker(): Checker {
  const inPage = createPageChecker();
  let worker = openWorker();
  function close(): void {
    worker?.terminate();
    worker = null;
  }
  return {
    async check(asked, signal) {
      if (worker === null) return inPage.check(asked, signal);
      try {
        return await answerOf(worker, asked, signal);
      } catch (problem) {
        if (signal.aborted) throw problem;
        console.warn('The worker failed. The page verifies the ledger.', problem);
        close();
        return null;
      }
    },
    close,
  };
}

export type Progress = {
  isRunning: boolean;
  /** Number of verified entries, out of `total`. */
  checked: number;
  total: number;
  /** True when all entries were checked or one is invalid. */
  isDone: boolean;
  error: string | null;
};

const missingText = (total: number, given: number): string =>
  `The server’s ledger ends at ${entryName(total)}, but the server sent it only up to ${entryName(given)}.`;

/** Batches requested in advance. */
const AHEAD = 3;

class UpcomingChunks {
  /** Requested batches by the number of the entry before them. */
  readonly #asked = new Map<number, Promise<Chunk>>();

  constructor(private readonly signal: AbortSignal) {}

  after(number: number): Promise<Chunk> {
    const asked = this.#asked.get(number);
    this.#asked.delete(number);
    return asked ?? fetchChunk(number, this.signal);
  }

  /** Requests the batches ahead. @param total number of entries */
  ask(from: number, total: number): void {
    for (let after = from; after < Math.min(total, from + AHEAD * MAX_ROWS); after += MAX_ROWS) {
      if (this.#asked.has(after)) continue;
      const chunk = fetchChunk(after, this.signal);
      // A failure is reported to the caller that needs it.
      chunk.catch(() => {});
      this.#asked.set(after, chunk);
    }
  }
}

/** Verifies the ledger in this browser from its first entry, without trusting the server. */
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

  /** Starts, or resumes after a stop or failure. */
  async run(): Promise<void> {
    if (this.#running !== null || this.#progress.peek().isDone) return;
    const running = new AbortController();
    this.#running = running;
    this.#report({ isRunning: true, error: null });
    const checker = createChecker();
    try {
      await this.#goThrough(checker, running.signal);
      if (!running.signal.aborted) this.#report({ isDone: true });
    } catch (error) {
      if (!running.signal.aborted)
        this.#report({ error: messageOf(error, 'The ledger could not be loaded. Try again.') });
    } finally {
      checker.close();
      // Pending batches are no longer needed.
      running.abort();
      if (this.#running === running) {
        this.#running = null;
        this.#report({ isRunning: false });
      }
    }
  }

  /** Stops. `run` resumes from here. */
  stop(): void {
    this.#running?.abort();
    this.#running = null;
    this.#report({ isRunning: false });
  }

  async #goThrough(checker: Checker, signal: AbortSignal): Promise<void> {
    const { chain } = this;
    const coming = new UpcomingChunks(signal);
    for (;;) {
      const before = chain.checked;
      const chunk = await coming.after(before);
      const total = chunk.head?.number ?? 0;
      if (!signal.aborted) this.#report({ total });
      coming.ask(before + MAX_ROWS, total);
      await this.#take(checker, chunk, signal);
      if (signal.aborted || chain.fault !== null || chain.checked >= total) return;
      if (chain.checked === before) throw new ApiError(missingText(total, before), 502, null);
    }
  }

  async #take(checker: Checker, { rows }: Chunk, signal: AbortSignal): Promise<void> {
    const from = this.chain.head;
    let checked = await checker.check({ rows, from }, signal);
    if (checked === null) {
      // The text could not be split, so request parsed entries.
      const { lines } = await fetchEntries(this.chain.checked, MAX_PAGE, signal);
      checked = await checker.check({ rows: lines, from }, signal);
    }
    // The verification may have been stopped and restarted in the meantime.
    if (checked === null || signal.aborted) return;
    this.chain.take(checked);
    this.#report({ checked: this.chain.checked });
  }

  #report(change: Partial<Progress>): void {
    this.#progress.value = { ...this.#progress.peek(), ...change };
  }
}
