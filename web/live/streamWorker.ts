import type { createGlances } from '#subjects/glance/rules/glances.ts';
import { browserDeps } from './stream/browserDeps.ts';
import { joinWithFirstWord, SharedStream } from './stream/sharedStream.ts';
import { type FromWindow, packed } from './stream/protocol.ts';

type WindowPort = Pick<MessagePort, 'postMessage' | 'onmessage' | 'addEventListener'>;

/** `createGlances` is what the script of the market at a glance gives. */
const scope = globalThis as unknown as SharedWorkerGlobalScope &
  WindowPort & { createGlances: typeof createGlances };

/** Holds both streams for every window of this browser: six connections per address is all that HTTP/1.1 has. */
const stream = new SharedStream(browserDeps, (script) => {
  importScripts(script);
  return scope.createGlances;
});

function serve(port: WindowPort): void {
  const receive = joinWithFirstWord(stream, (message) => port.postMessage(packed(message)));
  port.onmessage = ({ data }: MessageEvent<FromWindow>) => receive(data);
  // Only newer browsers tell that the other side is gone; for the rest, windows are asked.
  port.addEventListener('close', () => receive({ type: 'bye' }));
}

scope.onconnect = ({ ports: [port] }) => {
  if (port) serve(port);
};
// Where the browser has no shared workers, this is a worker of one window.
if ('DedicatedWorkerGlobalScope' in globalThis) serve(scope);
