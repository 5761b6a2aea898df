import type { Clock } from '#lib/clock.ts';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import type { RecordedBase, RecordedEvent } from '#market/recording/types.ts';
import type {
  AnnouncementSink,
  AnnouncementSource,
  ProviderHealth,
  Release,
} from '#sources/announcements/source.ts';
import type { CalendarSink, CalendarSource } from '#sources/calendar/source.ts';

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

/** What both have in common: the name under which their things are kept, the label, and the market's clock. */
export type Identity = { name: string; label: string; clock: Clock; health(): ProviderHealth };

/** Where what a recording tells goes while it plays. */
type ReplayedSource<Source> = {
  source: Source;
  /** Tells of one event as it happens. */
  tell(event: RecordedEvent): void;
  /** Tells all that is known at this moment, and takes back what is not. */
  tellAll(): void;
};

/**
 * A source that is told from outside, while somebody listens to it.
 * @param begins called when somebody does
 */
function createReplayedSource<Sink>({ name, label, clock, health }: Identity, begins: () => void) {
  let sink: Sink | null = null;
  return {
    /** Who listens; null while nobody does. */
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

/** This many are written at once: the sink keeps what is more for later. */
const AT_ONCE = 100;

/** The announcements of a recording. */
export function createRecordedNews(
  identity: Identity,
  { releases }: Pick<KnownNews, 'releases'>,
): ReplayedSource<AnnouncementSource> {
  const { source, sink } = createReplayedSource<AnnouncementSink>(identity, tellAll);

  function tellAll(): void {
    const target = sink();
    if (target === null) return;
    const gone = target.keptSince(0).filter(({ id }) => !releases.has(id));
    if (gone.length > 0) target.withdraw(gone.map(({ id }) => id));
    const known = [...releases.values()].sort((a, b) => a.time - b.time);
    for (let from = 0; from < known.length; from += AT_ONCE) target.apply(known.slice(from, from + AT_ONCE));
  }

  return {
    source,
    tellAll,
    tell(event) {
      if (event.kind === 'announcements') sink()?.apply(event.releases);
      if (event.kind === 'withdrawn') sink()?.withdraw(event.ids);
    },
  };
}

const ALWAYS = { from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY };
const HOUR_MS = 3_600_000;

/** The economic calendar of a recording. */
export function createRecordedCalendar(
  identity: Identity,
  { events }: Pick<KnownNews, 'events'>,
): ReplayedSource<CalendarSource> {
  const { clock } = identity;
  const { source, sink } = createReplayedSource<CalendarSink>(identity, tellAll);
  /** The hour in which all was told: who listens keeps the days around now alone. */
  let toldIn = Number.NaN;

  function tellAll(): void {
    toldIn = Math.floor(clock.now() / HOUR_MS);
    sink()?.replace(ALWAYS, [...events.values()]);
  }

  return {
    source,
    tellAll,
    tell(event) {
      if (Math.floor(clock.now() / HOUR_MS) !== toldIn) tellAll();
      else if (event.kind === 'calendar' && event.removed.length > 0) tellAll();
      else if (event.kind === 'calendar') sink()?.apply(event.events);
    },
  };
}
