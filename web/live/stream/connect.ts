import { browserDeps } from './browserDeps.ts';
import {
  type Connect,
  type FromWindow,
  type Packed,
  type Send,
  type ToWindow,
  unpacked,
} from './protocol.ts';
import type { Timer } from './reconnectingSource.ts';

/**
 * A connection whose code is loaded first. Until then the window's messages are queued. If loading fails, for example
 * after an update, the window is disconnected until the user retries.
 */
export const connectLater =
  (load: () => Promise<Connect>): Connect =>
  (receive) => {
    const waiting: FromWindow[] = [];
    let send: Send | null = null;
    let isLoading = false;
    const open = async () => {
      isLoading = true;
      try {
        const connect = await load();
        send = connect(receive);
        for (const message of waiting.splice(0)) send(message);
      } catch (problem) {
        console.warn('The data stream code could not be loaded.', problem);
        receive({ type: 'connection', connection: 'disconnected' });
      }
      isLoading = false;
    };
    void open();
    return (message) => {
      if (send) return send(message);
      waiting.push(message);
      if (message.type === 'retry' && !isLoading) void open();
    };
  };

export type WorkerLine = { post(message: FromWindow): void; close(): void };
export type WorkerListener = { message(data: Packed): void; failed(): void };

export type ConnectDeps = {
  /** Opens a worker; null if the browser has none. It throws if the browser forbids workers. */
  openWorker: ((listener: WorkerListener) => WorkerLine) | null;
  inWindow: Connect;
  after: Timer;
};

/** A worker that is silent for this time (ms) counts as broken. */
export const FIRST_WORD_MS = 4000;

type Holder = {
  readonly deps: ConnectDeps;
  readonly receive: (message: ToWindow) => void;
  line: WorkerLine | null;
  /** Sends to the stream in this window; null until it is opened. */
  alone: Send | null;
  /** The last message of each type, to repeat them to another holder. */
  readonly words: Map<FromWindow['type'], FromWindow>;
  spoke: boolean;
  stopWaiting: (() => void) | null;
};

/**
 * Uses a worker if possible. This window holds the stream if there are no workers, the script fails, or the worker
 * stays silent after the user retried.
 */
export const createConnect =
  (deps: ConnectDeps): Connect =>
  (receive) => {
    const holder: Holder = {
      deps,
      receive,
      line: null,
      alone: null,
      words: new Map(),
      spoke: false,
      stopWaiting: null,
    };
    holder.line = openLine(deps.openWorker, {
      message: (data) => hear(holder, data),
      // A running worker also reports its own errors, which do not end it.
      failed: () => {
        if (!holder.spoke) holdAlone(holder);
      },
    });
    if (holder.line === null) holdAlone(holder);
    else if (!holder.spoke) expectWord(holder);
    return (message) => {
      const { type } = message;
      if (type === 'watch' || type === 'session' || type === 'overview') holder.words.set(type, message);
      if (holder.alone) return holder.alone(message);
      holder.line?.post(message);
      if (message.type === 'retry') expectWord(holder);
      if (message.type === 'bye') holder.stopWaiting?.();
    };
  };

function hear(holder: Holder, data: Packed): void {
  if (holder.alone) return;
  holder.spoke = true;
  holder.stopWaiting?.();
  holder.stopWaiting = null;
  holder.receive(unpacked(data));
}

function expectWord(holder: Holder): void {
  holder.stopWaiting?.();
  holder.stopWaiting = holder.deps.after(FIRST_WORD_MS, () => holdAlone(holder));
}

function holdAlone(holder: Holder): void {
  if (holder.alone) return;
  holder.stopWaiting?.();
  holder.line?.post({ type: 'bye' });
  holder.line?.close();
  holder.line = null;
  holder.alone = holder.deps.inWindow(holder.receive);
  for (const word of holder.words.values()) holder.alone(word);
}

function openLine(open: ConnectDeps['openWorker'], listener: WorkerListener): WorkerLine | null {
  try {
    return open?.(listener) ?? null;
  } catch (problem) {
    console.warn(
      'This browser can’t share a worker between windows. This window opens its own stream.',
      problem,
    );
    return null;
  }
}

/**
 * The shared worker; where browsers lack it, as many phones do, a dedicated worker that keeps work off the main thread;
 * null without workers.
 */
function workerOpener(): ConnectDeps['openWorker'] {
  const script = document.documentElement.dataset.streamWorker;
  if (!script) return null;
  if (typeof SharedWorker !== 'undefined') return (listener) => openShared(script, listener);
  if (typeof Worker !== 'undefined') return (listener) => openOwn(script, listener);
  return null;
}

function openShared(script: string, listener: WorkerListener): WorkerLine {
  const worker = new SharedWorker(script, { name: 'bellbird-stream' });
  worker.addEventListener('error', () => listener.failed());
  worker.port.onmessage = ({ data }: MessageEvent<Packed>) => listener.message(data);
  return {
    post: (message) => worker.port.postMessage(message),
    close: () => worker.port.close(),
  };
}

function openOwn(script: string, listener: WorkerListener): WorkerLine {
  const worker = new Worker(script, { name: 'bellbird-stream' });
  worker.addEventListener('error', () => listener.failed());
  worker.addEventListener('message', ({ data }: MessageEvent<Packed>) => listener.message(data));
  return {
    post: (message) => worker.postMessage(message),
    close: () => worker.terminate(),
  };
}

/** Connects to the stream. Most browsers have shared workers and never load the fallback. */
export const connectStream: Connect = (receive) =>
  createConnect({
    openWorker: workerOpener(),
    inWindow: connectLater(async () => (await import('./ownStream.ts')).connectOwnStream),
    after: browserDeps.after,
  })(receive);
