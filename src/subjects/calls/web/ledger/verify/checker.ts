import { LedgerCheck } from '#subjects/calls/rules/ledger/check.ts';
import { type Answered, type Asked, linesOf } from './checkAtOnce.ts';
import { createHex } from './hex.ts';

/** Checks pieces of a ledger, one after the other. */
export type Checker = {
  /**
   * @param asked whose bytes are the checker's from then on
   * @returns what came of it, of as many lines as were gone through before it was stopped; null where the lines are to be
   *   fetched told apart: their text can't be, or a worker failed and took it along
   */
  check(asked: Asked, signal: AbortSignal): Promise<Answered>;
  close(): void;
};

/** So long the page's thread is held at most, ms: below what a finger or an eye notices. */
const SLICE_MS = 10;

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

/** In the page's own thread, in slices. */
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

/** One answer of a worker. @throws Error when the worker fails, and when nobody waits for it any more */
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
    console.warn('This browser opens no worker; the page itself verifies the ledger.', problem);
    return null;
  }
}

/** In a worker whose script the page names; in the page where there is none, and from when on it fails. */
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
        console.warn('The worker failed; the page itself verifies the ledger.', problem);
        close();
        return null;
      }
    },
    close,
  };
}
