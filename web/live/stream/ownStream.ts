import { createGlances } from '#subjects/glance/rules/glances.ts';
import { browserDeps } from './browserDeps.ts';
import type { Connect } from './protocol.ts';
import { joinWithFirstWord, SharedStream } from './sharedStream.ts';

export const connectOwnStream: Connect = (receive) =>
  joinWithFirstWord(new SharedStream(browserDeps, () => createGlances), receive);
