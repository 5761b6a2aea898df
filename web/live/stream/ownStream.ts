import { browserDeps } from './browserDeps.ts';
import type { Connect } from './protocol.ts';
import { createSharedStream, joinWithFirstWord } from './sharedStream.ts';

/** Holds the stream in this window alone. */
export const connectOwnStream: Connect = (receive) =>
  joinWithFirstWord(createSharedStream(browserDeps), receive);
