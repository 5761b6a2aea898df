import { createOverviews } from '#subjects/marketOverview/rules/overviews.ts';
import { browserDeps } from './browserDeps.ts';
import type { Connect } from './protocol.ts';
import { joinWithFirstWord, SharedStream } from './sharedStream.ts';

export const connectOwnStream: Connect = (receive) =>
  joinWithFirstWord(new SharedStream(browserDeps, () => createOverviews), receive);
