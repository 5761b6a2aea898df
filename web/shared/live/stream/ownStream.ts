import { browserDeps } from './browserDeps.ts';
import type { Connect } from './protocol.ts';
import { createSharedStream } from './sharedStream.ts';

/** Holds the stream in this window alone. */
export const connectOwnStream: Connect = (receive) => createSharedStream(browserDeps).join(receive);
