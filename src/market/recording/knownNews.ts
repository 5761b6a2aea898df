import type { CalendarEvent } from '../calendar/rules/calendarEvent.ts';
import type { Release } from '../sources/announcements.ts';
import type { RecordedBase, RecordedEvent } from './types.ts';

/** The announcements and calendar events that are known at a moment of a recording. */
export class KnownNews {
  readonly releases = new Map<string, Release>();
  readonly events = new Map<string, CalendarEvent>();

  begin({ releases, events }: Pick<RecordedBase, 'releases' | 'events'>): void {
    this.releases.clear();
    this.events.clear();
    for (const release of releases) this.releases.set(release.id, release);
    for (const event of events) this.events.set(event.id, event);
  }

  take(event: RecordedEvent): void {
    if (event.kind === 'announcements') for (const one of event.releases) this.releases.set(one.id, one);
    if (event.kind === 'withdrawn') for (const id of event.ids) this.releases.delete(id);
    if (event.kind !== 'calendar') return;
    for (const one of event.events) this.events.set(one.id, one);
    for (const id of event.removed) this.events.delete(id);
  }
}
