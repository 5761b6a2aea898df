import { type Asked, checkAtOnce } from './checkAtOnce.ts';
import { createHex } from './hex.ts';

const scope = globalThis as unknown as Pick<MessagePort, 'postMessage' | 'onmessage'>;
const sha256 = createHex();

/** Goes through lines beside the page's thread, one piece after the other. */
scope.onmessage = ({ data }: MessageEvent<Asked>) => scope.postMessage(checkAtOnce(data, sha256));
