import { browserDeps } from './stream/browserDeps.ts';
import { createSharedStream } from './stream/sharedStream.ts';
import { type FromWindow, packed } from './stream/protocol.ts';

/** One stream for every window of this browser: six connections per address is all that HTTP/1.1 has. */
const stream = createSharedStream(browserDeps);

(globalThis as unknown as SharedWorkerGlobalScope).onconnect = ({ ports: [port] }) => {
  if (!port) return;
  const receive = stream.join((message) => port.postMessage(packed(message)));
  port.onmessage = ({ data }: MessageEvent<FromWindow>) => receive(data);
  // Only newer browsers tell that the other side is gone; for the rest, windows are asked.
  port.addEventListener('close', () => receive({ type: 'bye' }));
};
