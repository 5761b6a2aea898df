import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { LeaderboardEntry } from '#subjects/calls/rules/types.ts';
import type { Announcement } from '#market/rules/stock.ts';
import type { ProviderInfo } from '#market/rules/stream.ts';
import type { SystemClock } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { Market } from '#market/types.ts';
import type { Model } from '#platform/model/model.ts';
import type { MarketSource } from '#sources/quotes/source.ts';
import type { ModelUse } from '#subjects/model/server/service.ts';
import type { QuestionStore } from './store.ts';

/** What the tools read. None of it belongs to one user, and none of it can be changed through them. */
export type ToolDeps = {
  market: Market;
  source: MarketSource;
  calls: { ranks(): readonly LeaderboardEntry[] };
  announcements: {
    /** Newest first. */
    search(query: {
      code: string;
      limit: number;
    }): readonly Pick<Announcement, 'headline' | 'announcementTypes' | 'isPriceSensitive' | 'time'>[];
    /** Null when they are switched off. */
    info(): ProviderInfo | null;
  };
  calendar: {
    /** The events of today in a time zone, in order. */
    today(zone: string): readonly CalendarEvent[];
    /** Null when it is switched off. */
    info(): ProviderInfo | null;
  };
};

export type QuestionsDeps = ToolDeps & {
  clock: SystemClock;
  log: Log;
  store: QuestionStore;
  /** Null when none is configured. */
  model: Model | null;
  modelUse: ModelUse;
};
