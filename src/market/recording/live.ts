import type { CalendarEvent } from '../../subjects/calendar/rules/calendarEvent.ts';
import { sessionAt } from '../rules/session.ts';
import { phaseAt } from '../rules/sessionClock.ts';
import { fromSydney } from '../rules/sydneyTime.ts';
import { nextTradingDay, previousTradingDay } from '../rules/tradingDay.ts';
import type { Stopwatch } from '../../lib/clock.ts';
import type { ChangeSet, Market } from '../types.ts';
import type { Release } from '../../sources/announcements/source.ts';
import type { MarketSource } from '../../sources/quotes/source.ts';
import { createFileWriter, createRecordingFile } from './fileWriter.ts';
import { utcOffsetOf, VERSION } from './head.ts';
import { createRecorder, recorded, type RecordedStock } from './recorder.ts';

export type LiveNeeds = {
  source: Pick<MarketSource, 'name' | 'label' | 'days' | 'delayMinutes' | 'clock'>;
  market: Pick<Market, 'all' | 'get' | 'statedQuoteTime' | 'quoteTime'>;
  stopwatch: Stopwatch;
  /** The announcements of the session and of the trading day before; another object for one that was corrected. */
  releases(): Iterable<Release>;
  /** The calendar's events by id; another object for one that changed. */
  events(): ReadonlyMap<string, CalendarEvent>;
};

/** The session that a recording is of that begins now: after the close it is the next one. @returns YYYY-MM-DD */
export function recordedDate(now: number): string {
  const { date } = sessionAt(now);
  return phaseAt(now).phase === 'closed' ? nextTradingDay(date) : date;
}

/** Those of another map that are not the same here, and the keys that are not there any more. */
function changesOf<T>(
  before: ReadonlyMap<string, T>,
  now: ReadonlyMap<string, T>,
): { changed: T[]; gone: string[] } {
  const changed = [...now].filter(([id, one]) => before.get(id) !== one).map(([, one]) => one);
  return { changed, gone: [...before.keys()].filter((id) => !now.has(id)) };
}

const releaseOf = ({
  id,
  code,
  headline,
  url,
  document,
  announcementTypes,
  isPriceSensitive,
  time,
}: Release): Release => ({
  ...{ id, code, headline, url, document },
  ...{ announcementTypes, isPriceSensitive, time },
});

/**
 * A recording of the running market into a new file. It is of one session: when the next one begins, it is over.
 * @throws RecordingError (a sentence) when the file is there already or can't be made
 */
export async function startRecording(path: string, needs: LiveNeeds) {
  const { source, market, stopwatch } = needs;
  const startedAt = Math.round(source.clock.now());
  const date = recordedDate(startedAt);
  const file = createFileWriter(await createRecordingFile(path), {
    version: VERSION,
    source: {
      ...{ name: source.name, label: source.label(), days: source.days },
      delayMinutes: source.delayMinutes(),
    },
    ...{ date, utcOffsetMinutes: utcOffsetOf(date), startedAt },
  });
  const known = (): ReadonlyMap<string, Release> =>
    new Map([...needs.releases()].map((one) => [one.id, one]));
  let releases = known();
  let events: ReadonlyMap<string, CalendarEvent> = new Map(needs.events());

  function one(code: string): RecordedStock[] {
    const stock = market.get(code);
    return stock ? [recorded(stock, market.statedQuoteTime(code), market.quoteTime(code))] : [];
  }
  const recorder = createRecorder(
    {
      ...{ file, stopwatch },
      stocks: () => [...market.all().keys()].flatMap(one),
      releases: () => [...releases.values()].map(releaseOf),
      events: () => [...events.values()],
    },
    startedAt,
  );

  function noteReleases(now: number): void {
    const next = known();
    const { changed, gone } = changesOf(releases, next);
    const before = releases;
    releases = next;
    if (changed.length > 0) recorder.other(now, { kind: 'announcements', releases: changed.map(releaseOf) });
    // What is too old to be shown was not taken back.
    const shownSince = fromSydney(previousTradingDay(sessionAt(now).date), 0, 0);
    const ids = gone.filter((id) => (before.get(id)?.time ?? 0) >= shownSince);
    if (ids.length > 0) recorder.other(now, { kind: 'withdrawn', ids });
  }

  function noteEvents(now: number): void {
    const next = needs.events();
    const { changed, gone } = changesOf(events, next);
    if (changed.length === 0 && gone.length === 0) return;
    events = new Map(next);
    recorder.other(now, { kind: 'calendar', events: changed, removed: gone });
  }

  return {
    date,
    startedAt,
    /** Takes in a tick. Does nothing once the session is over or the recording has failed. */
    onChanges(changes: ChangeSet | null): void {
      if (recorder.failure() !== null) return;
      const now = Math.round(source.clock.now());
      if (sessionAt(now).date > date) return;
      noteReleases(now);
      noteEvents(now);
      if (changes) recorder.stocks(now, Object.keys(changes.upsert).flatMap(one), changes.delete);
      else recorder.idle(now);
    },
    /** The next session has begun: there is nothing more to record. */
    isOver: (): boolean => sessionAt(source.clock.now()).date > date,
    until: recorder.until,
    size: file.size,
    waiting: file.waiting,
    failure: recorder.failure,
    /** Writes what waits and the index. @returns why the recording ended before, a sentence; null when it did not */
    async end(): Promise<string | null> {
      await recorder.end();
      return recorder.failure();
    },
  };
}

export type LiveRecording = Awaited<ReturnType<typeof startRecording>>;
