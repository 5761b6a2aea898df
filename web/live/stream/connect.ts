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
 * A connection whose code is fetched first. What the window says meanwhile is passed on then. When the code does not
 * come, as when the server was updated under an open page, the window is disconnected until it asks to try again.
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
        console.warn('The code of the data stream could not be fetched.', problem);
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

/** The line to a worker. */
export type WorkerLine = { post(message: FromWindow): void; close(): void };
export type WorkerListener = { message(data: Packed): void; failed(): void };

export type ConnectDeps = {
  /** Opens the line to a worker; null where there is none. May throw, as a browser that forbids it does. */
  openWorker: ((listener: WorkerListener) => WorkerLine) | null;
  /** Holds the stream in this window alone. */
  inWindow: Connect;
  after: Timer;
};

/** A worker that has not spoken by then is taken for broken. */
export const FIRST_WORD_MS = 4000;

/** Who holds the stream for this window. */
type Holder = {
  readonly deps: ConnectDeps;
  readonly receive: (message: ToWindow) => void;
  line: WorkerLine | null;
  /** The way to this window's own stream, once it has opened one. */
  alone: Send | null;
  /** The last words on what the window watches, on its session and on what it asks of the whole, for another holder. */
  readonly words: Map<FromWindow['type'], FromWindow>;
  /** The worker has said something: it runs. */
  spoke: boolean;
  stopWaiting: (() => void) | null;
};

/**
 * Has a worker hold the stream where it can, else holds it in this window: without workers, when the worker's script
 * does not start, or when it stays silent although the user asked it to try again.
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
      // A worker that has started reports errors of its own too; those do not end it.
      failed: () => {
        if (!holder.spoke) holdAlone(holder);
      },
    });
    if (holder.line === null) holdAlone(holder);
    else if (!holder.spoke) expectWord(holder);
    return (message) => {
      const { type } = message;
      if (type === 'watch' || type === 'session' || type === 'glance') holder.words.set(type, message);
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
    console.warn('This browser lets no windows share a worker; this window opens its own stream.', problem);
    return null;
  }
}

/**
 * The line to the worker whose script the page names: the shared one, or where the browser has none, as on many phones,
 * one of this window's own, which keeps the work off its main thread; null where there are no workers at all.
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

/** Connects this window to the stream as the browser allows. Most have shared workers and never fetch the rest. */
export const connectStream: Connect = (receive) =>
  createConnect({
    openWorker: workerOpener(),
    inWindow: connectLater(async () => (await import('./ownStream.ts')).connectOwnStream),
    after: browserDeps.after,
  })(receive);
