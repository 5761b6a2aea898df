import type { Stopwatch } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Market } from '#market/types.ts';
import type { Model } from '#platform/model/model.ts';
import type { Announcements } from '../service.ts';
import type { ModelUse } from '#subjects/model/server/service.ts';
import type { DocumentReader } from './document.ts';
import type { SummaryStore } from './store.ts';

export type SummariesDeps = {
  /** Null without one in the settings. */
  model: Model | null;
  announcements: Announcements;
  market: Market;
  modelUse: ModelUse;
  readDocument: DocumentReader;
  store: SummaryStore;
  clock: Stopwatch;
  log: Log;
  randomToken(): string;
};
