import type { createOverviews } from '#subjects/marketOverview/rules/overviews.ts';
import { browserDeps } from './stream/browserDeps.ts';
import { joinWithFirstWord, SharedStream } from './stream/sharedStream.ts';
import { type FromWindow, packed } from './stream/protocol.ts';

type WindowPort = Pick<MessagePort, 'postMessage' | 'onmessage' | 'addEventListener'>;

/** The market overview's script sets `createOverviews` in this scope. */
const scope = globalThis as unknown as SharedWorkerGlobalScope &
  WindowPort & { createOverviews: typeof createOverviews };

/** Holds both streams for all windows, because HTTP/1.1 allows only six connections per address. */
const stream = new SharedStream(browserDeps, (script) => {
  importScripts(script);
  return scope.createOverviews;
});

function serve(port: WindowPort): void {
  const receive = joinWithFirstWord(stream, (message) => port.postMessage(packed(message)));
  port.onmessage = ({ data }: MessageEvent<FromWindow>) => receive(data);
  // Only newer browsers report a closed port; in others, windows are polled.
  port.addEventListener('close', () => receive({ type: 'bye' }));
}

scope.onconnect = ({ ports: [port] }) => {
  if (port) serve(port);
};
// Without shared workers, this is the dedicated worker of one window.
if ('DedicatedWorkerGlobalScope' in globalThis) serve(scope);
