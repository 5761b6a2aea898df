import { HOUR_MS } from '#lib/units.ts';
import type { Clock } from '#lib/clock.ts';
import type { KnownNews } from '#market/recording/knownNews.ts';
import type { RecordedEvent } from '#market/recording/types.ts';
import type { AnnouncementSink, AnnouncementSource, ProviderHealth } from '#market/sources/announcements.ts';
import type { CalendarSink, CalendarSource } from '#market/sources/calendar.ts';

export type Identity = { name: string; label: string; clock: Clock; health(): ProviderHealth };

type ReplayedSource<Source> = {
  source: Source;
  notify(event: RecordedEvent): void;
  notifyAll(): void;
};

/** A source that forwards received data to its sink. @param begins called when a sink starts to listen */
function createReplayedSource<Sink>({ name, label, clock, health }: Identity, begins: () => void) {
  let sink: Sink | null = null;
  return {
    sink: () => sink,
    source: {
      name,
      clock,
      label: () => label,
      health,
      async start(target: Sink) {
        sink = target;
        begins();
      },
      async stop() {
        sink = null;
      },
    },
  };
}

const AT_ONCE = 100;

export function createRecordedNews(
  identity: Identity,
  { releases }: Pick<KnownNews, 'releases'>,
): ReplayedSource<AnnouncementSource> {
  const { source, sink } = createReplayedSource<AnnouncementSink>(identity, notifyAll);

  function notifyAll(): void {
    const target = sink();
    if (target === null) return;
    const gone = target.keptSince(0).filter(({ id }) => !releases.has(id));
    if (gone.length > 0) target.withdraw(gone.map(({ id }) => id));
    const known = [...releases.values()].sort((a, b) => a.time - b.time);
    for (let from = 0; from < known.length; from += AT_ONCE) target.apply(known.slice(from, from + AT_ONCE));
  }

  return {
    source,
    notifyAll,
    notify(event) {
      if (event.kind === 'announcements') sink()?.apply(event.releases);
      if (event.kind === 'withdrawn') sink()?.withdraw(event.ids);
    },
  };
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };

export function createRecordedCalendar(
  identity: Identity,
  { events }: Pick<KnownNews, 'events'>,
): ReplayedSource<CalendarSource> {
  const { clock } = identity;
  const { source, sink } = createReplayedSource<CalendarSink>(identity, notifyAll);
  /**
   * Hour of the last complete list. The list is sent each hour, because sinks keep only the days around now.
   */
  let reportedIn = Number.NaN;

  function notifyAll(): void {
    reportedIn = Math.floor(clock.now() / HOUR_MS);
    sink()?.replace(ALWAYS, [...events.values()]);
  }

  return {
    source,
    notifyAll,
    notify(event) {
      if (Math.floor(clock.now() / HOUR_MS) !== reportedIn) notifyAll();
      else if (event.kind === 'calendar' && event.removed.length > 0) notifyAll();
      else if (event.kind === 'calendar') sink()?.apply(event.events);
    },
  };
}
