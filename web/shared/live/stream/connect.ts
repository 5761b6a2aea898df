import { browserDeps } from './browserDeps.ts';
import { createStreamCore } from './core.ts';
import type { Every } from './ports.ts';
import { type FromWindow, type Packed, type ToWindow, unpacked } from './protocol.ts';

/** Sends a message to the stream's keeper. */
export type Send = (message: FromWindow) => void;
export type Connect = (receive: (message: ToWindow) => void) => Send;

/** The line to a shared worker. */
export type WorkerLine = { post(message: FromWindow): void; close(): void };
export type WorkerListener = { message(data: Packed): void; failed(): void };

export type ConnectDeps = {
  /** Opens the line to the shared worker; null where there is none. May throw, as a browser that forbids it does. */
  openWorker: ((listener: WorkerListener) => WorkerLine) | null;
  /** Holds the stream in this window alone. */
  inWindow: Connect;
  after: Every;
};

/** A worker that has not spoken by then is taken for broken. */
export const FIRST_WORD_MS = 4000;

/**
 * Shares one stream with this browser's other windows where it can, else opens one for this window: without shared
 * workers, when the worker's script does not start, or when it stays silent although the user asked it to try again.
 */
export const createConnect =
  ({ openWorker, inWindow, after }: ConnectDeps): Connect =>
  (receive) => {
    let line: WorkerLine | null = null;
    let alone: Send | null = null;
    let spoke = false;
    let stopWaiting: (() => void) | null = null;

    const holdAlone = () => {
      if (alone) return;
      stopWaiting?.();
      line?.post({ type: 'bye' });
      line?.close();
      line = null;
      alone = inWindow(receive);
    };
    const expectWord = () => {
      stopWaiting?.();
      stopWaiting = after(FIRST_WORD_MS, holdAlone);
    };
    const listener: WorkerListener = {
      message: (data) => {
        if (alone) return;
        spoke = true;
        stopWaiting?.();
        stopWaiting = null;
        receive(unpacked(data));
      },
      // A worker that has started reports errors of its own too; those do not end it.
      failed: () => {
        if (!spoke) holdAlone();
      },
    };

    line = openLine(openWorker, listener);
    if (line === null) holdAlone();
    else if (!spoke) expectWord();
    return (message) => {
      if (alone) return alone(message);
      line?.post(message);
      if (message.type === 'retry') expectWord();
      if (message.type === 'bye') stopWaiting?.();
    };
  };

function openLine(open: ConnectDeps['openWorker'], listener: WorkerListener): WorkerLine | null {
  try {
    return open?.(listener) ?? null;
  } catch (problem) {
    console.warn('This browser lets no windows share a worker; this window opens its own stream.', problem);
    return null;
  }
}

/** The line to the worker whose script the page names; null where the browser has no shared workers. */
function workerOpener(): ConnectDeps['openWorker'] {
  const script = document.documentElement.dataset.streamWorker;
  if (!script || typeof SharedWorker === 'undefined') return null;
  return (listener) => {
    const worker = new SharedWorker(script, { name: 'bellbird-stream' });
    worker.addEventListener('error', () => listener.failed());
    worker.port.onmessage = ({ data }: MessageEvent<Packed>) => listener.message(data);
    return {
      post: (message) => worker.port.postMessage(message),
      close: () => worker.port.close(),
    };
  };
}

/** Connects this window to the stream as the browser allows. */
export const connectStream: Connect = (receive) =>
  createConnect({
    openWorker: workerOpener(),
    inWindow: (take) => createStreamCore(browserDeps).join(take),
    after: browserDeps.after,
  })(receive);
