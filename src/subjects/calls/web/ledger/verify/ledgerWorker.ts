import { type Asked, checkAtOnce, createHex } from './checkAtOnce.ts';

const scope = globalThis as unknown as Pick<MessagePort, 'postMessage' | 'onmessage'>;
const sha256 = createHex();

scope.onmessage = ({ data }: MessageEvent<Asked>) => scope.postMessage(checkAtOnce(data, sha256));
