import type { NewsDay } from '../../domain/market/stock.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import type { Market } from '../../market/types.ts';
import type { Model } from '../../outbound/ai/model.ts';
import type { ModelUse } from '../modelUse/service.ts';
import type { DocumentReader } from './document.ts';
import type { SummaryStore } from './store.ts';

/** An announcement as a summary needs it. */
export type SummarisedAnnouncement = {
  id: string;
  code: string;
  headline: string;
  /** Where the server fetches the document; null where there is none. */
  document: string | null;
  /** Of its release in Sydney, YYYY-MM-DD. */
  date: string;
};

/** What is known of the summary of a day: `text` null with a note says why there is none. */
export type DaySummary = {
  announcementId: string;
  code: string;
  text: string | null;
  note: string | null;
  /** When it was written, on the announcements' clock, epoch ms. */
  at: number;
};

/** What summaries ask of the announcements. */
export type AnnouncementsForSummaries = {
  /** Now by the clock that they are timed with, epoch ms: that of a simulated market is not the wall's. */
  now(): number;
  /** The one that a summary of the stock is of. */
  latest(code: string): SummarisedAnnouncement | null;
  /** Null when it was withdrawn. */
  document(id: string): SummarisedAnnouncement | null;
  newsOf(code: string): { today: NewsDay | null; previous: NewsDay | null };
  /** Shows it in the stock's record while its announcement is the one that matters most. */
  setSummary(summary: DaySummary): void;
};

export type SummariesDeps = {
  /** Null without one in the settings. */
  model: Model | null;
  announcements: AnnouncementsForSummaries;
  market: Pick<Market, 'all' | 'get'>;
  modelUse: ModelUse;
  readDocument: DocumentReader;
  store: SummaryStore;
  clock: Stopwatch;
  log: Log;
  randomToken(): string;
};
