import type { Clock } from '../../../lib/clock.ts';
import type { RecordedEvent } from '../../../recording/types.ts';
import type { AnnouncementSink, AnnouncementSource, ProviderHealth } from '../../announcements/source.ts';
import { type CalendarSink, type CalendarSource } from '../../calendar/source.ts';
import type { Told } from './told.ts';

/** What both have in common: the name under which their things are kept, the label, and the market's clock. */
export type Identity = { name: string; label: string; clock: Clock; health(): ProviderHealth };

/** Where what a recording tells goes while it plays. */
export type Teller<Source> = {
  source: Source;
  /** Tells of one event as it happens. */
  tell(event: RecordedEvent): void;
  /** Tells all that is known at this moment, and takes back what is not. */
  tellAll(): void;
};

/** So many are written at once: the sink keeps what is more for later. */
const AT_ONCE = 100;

/** The announcements of a recording. */
export function createRecordedNews(
  { name, label, clock, health }: Identity,
  { releases }: Pick<Told, 'releases'>,
): Teller<AnnouncementSource> {
  let sink: AnnouncementSink | null = null;

  function tellAll(): void {
    if (sink === null) return;
    const gone = sink.keptSince(0).filter(({ id }) => !releases.has(id));
    if (gone.length > 0) sink.withdraw(gone.map(({ id }) => id));
    const known = [...releases.values()].sort((a, b) => a.time - b.time);
    for (let from = 0; from < known.length; from += AT_ONCE) sink.apply(known.slice(from, from + AT_ONCE));
  }

  return {
    tellAll,
    tell(event) {
      if (event.kind === 'announcements') sink?.apply(event.releases);
      if (event.kind === 'withdrawn') sink?.withdraw(event.ids);
    },
    source: {
      name,
      clock,
      label: () => label,
      health,
      async start(target) {
        sink = target;
        tellAll();
      },
      async stop() {
        sink = null;
      },
    },
  };
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
const HOUR_MS = 3_600_000;

/** The economic calendar of a recording. */
export function createRecordedCalendar(
  { name, label, clock, health }: Identity,
  { events }: Pick<Told, 'events'>,
): Teller<CalendarSource> {
  let sink: CalendarSink | null = null;
  /** The hour in which all was told: who listens keeps the days around now alone. */
  let toldIn = Number.NaN;

  function tellAll(): void {
    toldIn = Math.floor(clock.now() / HOUR_MS);
    sink?.replace(ALWAYS, [...events.values()]);
  }

  return {
    tellAll,
    tell(event) {
      if (Math.floor(clock.now() / HOUR_MS) !== toldIn) tellAll();
      else if (event.kind === 'calendar' && event.removed.length > 0) tellAll();
      else if (event.kind === 'calendar') sink?.apply(event.events);
    },
    source: {
      name,
      clock,
      label: () => label,
      health,
      async start(target) {
        sink = target;
        tellAll();
      },
      async stop() {
        sink = null;
      },
    },
  };
}
