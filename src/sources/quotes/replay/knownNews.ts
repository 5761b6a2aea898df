import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { RecordedBase, RecordedEvent } from '#market/recording/types.ts';
import type { Release } from '#sources/announcements/source.ts';

/** What a recording has told of announcements and of the economic calendar up to a moment. */
export type KnownNews = {
  /** By id. */
  releases: ReadonlyMap<string, Release>;
  events: ReadonlyMap<string, CalendarEvent>;
  /** Starts again with what was known at a moment. */
  begin(base: Pick<RecordedBase, 'releases' | 'events'>): void;
  /** Takes in what happened next. */
  take(event: RecordedEvent): void;
};

export function createKnownNews(): KnownNews {
  const releases = new Map<string, Release>();
  const events = new Map<string, CalendarEvent>();
  return {
    releases,
    events,
    begin(base) {
      releases.clear();
      events.clear();
      for (const release of base.releases) releases.set(release.id, release);
      for (const event of base.events) events.set(event.id, event);
    },
    take(event) {
      if (event.kind === 'announcements') for (const one of event.releases) releases.set(one.id, one);
      if (event.kind === 'withdrawn') for (const id of event.ids) releases.delete(id);
      if (event.kind !== 'calendar') return;
      for (const one of event.events) events.set(one.id, one);
      for (const id of event.removed) events.delete(id);
    },
  };
}
