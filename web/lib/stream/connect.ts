import { browserDeps } from './browserDeps.ts';
import { createStreamCore } from './core.ts';
import { type FromWindow, type Packed, type ToWindow, unpacked } from './protocol.ts';

/** Sends a message to the stream's keeper. */
export type Send = (message: FromWindow) => void;
export type Connect = (receive: (message: ToWindow) => void) => Send;

/** A worker that has not spoken by then is taken for broken. */
const FIRST_WORD_MS = 4000;

/** Holds the stream in this window alone. */
export const connectInWindow: Connect = (receive) => createStreamCore(browserDeps).join(receive);

/**
 * Shares one stream with this browser's other windows where it can (a SharedWorker), else opens one for this
 * window: without SharedWorker, without the worker's address, or when its script does not start.
 */
export const connectStream: Connect = (receive) => {
  const script = document.documentElement.dataset.streamWorker;
  if (!script || typeof SharedWorker === 'undefined') return connectInWindow(receive);

  let heardOf = false;
  let send: Send;
  const worker = new SharedWorker(script, { name: 'bellbird-stream' });
  const fallBack = () => {
    if (heardOf) return;
    heardOf = true;
    worker.port.postMessage({ type: 'bye' } satisfies FromWindow);
    worker.port.close();
    send = connectInWindow(receive);
  };
  const patience = setTimeout(fallBack, FIRST_WORD_MS);
  worker.addEventListener('error', fallBack);
  worker.port.onmessage = ({ data }: MessageEvent<Packed>) => {
    heardOf = true;
    clearTimeout(patience);
    receive(unpacked(data));
  };
  send = (message) => worker.port.postMessage(message);
  return (message) => send(message);
};
