import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { createHttpClient } from '#lib/httpClient/client.ts';
import { createLog } from '#lib/log.ts';
import { FxStreet } from '#sources/calendar/fxstreet/index.ts';
import type { Span } from '#market/sources/calendar.ts';
import { type FxItem, startFakeFxStreet, type WeekItem } from './fakeFxStreet.ts';
import { createHandScheduler } from './handScheduler.ts';
import { createPollPasser } from './passPolls.ts';

/** Stores what a source sends. */
function createRecordingCalendar() {
  const events = new Map<string, CalendarEvent>();
  const known = (span: Span): CalendarEvent[] =>
    [...events.values()].filter(({ dateUtc }) => {
      const time = Date.parse(dateUtc);
      return time >= span.from && time < span.until;
    });
  const apply = (more: readonly CalendarEvent[]): void => {
    for (const event of more) events.set(event.id, event);
  };
  return {
    events,
    known,
    apply,
    replace(span: Span, more: readonly CalendarEvent[]): void {
      const stays = new Set(more.map(({ id }) => id));
      for (const { id } of known(span)) if (!stays.has(id)) events.delete(id);
      apply(more);
    },
  };
}

/** FXStreet, ForexFactory and the source that reads them, on one manual clock. */
export function createCalendarFixture(options: {
  now: number;
  items: readonly FxItem[];
  week?: readonly WeekItem[];
}) {
  const hand = createHandScheduler(options.now);
  const fake = startFakeFxStreet({ items: options.items, week: options.week ?? [], now: hand.now });
  const sink = createRecordingCalendar();
  const source = new FxStreet({
    url: fake.url,
    forexFactoryUrl: fake.url,
    wall: hand,
    log: createLog(() => undefined),
    http: createHttpClient({ clock: hand, schedule: hand.schedule }),
    schedule: hand.schedule,
    random: () => 0.5,
  });
  return {
    hand,
    fake,
    source,
    sink,
    ...createPollPasser(hand, source, () => sink),
    async stop(): Promise<void> {
      fake.setFault({ kind: 'none' });
      fake.setWeekFault({ kind: 'none' });
      await source.stop();
      await fake.stop();
    },
  };
}

export type CalendarFixture = ReturnType<typeof createCalendarFixture>;
