import type { CalendarEvent } from '../calendar/rules/calendarEvent.ts';
import { phaseAt, sessionAt } from '../rules/sessionClock.ts';
import { fromSydney } from '../rules/sydneyTime.ts';
import { nextTradingDay, previousTradingDay } from '../rules/tradingDay.ts';
import type { Stopwatch } from '#lib/clock.ts';
import type { RecordingHead } from './types.ts';
import type { ChangeSet, Market } from '../types.ts';
import type { Release } from '#sources/announcements/source.ts';
import type { MarketSource } from '#sources/quotes/source.ts';
import { createRecordingFile, FileWriter, recorded, type RecordedStock, Recorder } from './recorder.ts';
import { utcOffsetOf, VERSION } from './blocks.ts';

export type LiveNeeds = {
  source: MarketSource;
  market: Market;
  stopwatch: Stopwatch;
  /** Of the session and of the trading day before; a corrected one is another object. */
  releases(): Iterable<Release>;
  /** By id; a changed one is another object. */
  events(): ReadonlyMap<string, CalendarEvent>;
};

export function recordedDate(now: number): string {
  const { date } = sessionAt(now);
  return phaseAt(now).phase === 'closed' ? nextTradingDay(date) : date;
}

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
  id,
  code,
  headline,
  url,
  document,
  announcementTypes,
  isPriceSensitive,
  time,
});

const byId = (releases: Iterable<Release>): ReadonlyMap<string, Release> =>
  new Map([...releases].map((one) => [one.id, one]));

/** A recording of the running market. It ends with its session. */
export class LiveRecording {
  private readonly recorder: Recorder;
  private releases: ReadonlyMap<string, Release>;
  private events: ReadonlyMap<string, CalendarEvent>;

  constructor(
    private readonly needs: LiveNeeds,
    private readonly file: FileWriter,
    private readonly head: RecordingHead,
  ) {
    const { market, stopwatch } = needs;
    this.releases = byId(needs.releases());
    this.events = new Map(needs.events());
    this.recorder = new Recorder(
      {
        file,
        stopwatch,
        stocks: () => [...market.all().keys()].flatMap((code) => this.recordOf(code)),
        releases: () => [...this.releases.values()].map(releaseOf),
        events: () => [...this.events.values()],
      },
      head.startedAt,
    );
  }

  get date(): string {
    return this.head.date;
  }

  get startedAt(): number {
    return this.head.startedAt;
  }

  /** Records a tick. Does nothing after the session or a failure. */
  onChanges(changes: ChangeSet | null): void {
    const { recorder } = this;
    if (recorder.failure() !== null) return;
    const now = Math.round(this.needs.source.clock.now());
    if (sessionAt(now).date > this.date) return;
    this.noteReleases(now);
    this.noteEvents(now);
    if (!changes) return recorder.idle(now);
    const changed = Object.keys(changes.upsert).flatMap((code) => this.recordOf(code));
    recorder.stocks(now, changed, changes.delete);
  }

  isOver(): boolean {
    return sessionAt(this.needs.source.clock.now()).date > this.date;
  }

  until(): number {
    return this.recorder.until();
  }

  size(): number {
    return this.file.size();
  }

  waiting(): number {
    return this.file.waiting();
  }

  failure(): string | null {
    return this.recorder.failure();
  }

  /** Writes the rest and the end. @returns a sentence if the recording had failed, otherwise null */
  async end(): Promise<string | null> {
    await this.recorder.end();
    return this.failure();
  }

  private recordOf(code: string): RecordedStock[] {
    const { market } = this.needs;
    const stock = market.get(code);
    return stock ? [recorded(stock, market.statedQuoteTime(code), market.quoteTime(code))] : [];
  }

  private noteReleases(now: number): void {
    const before = this.releases;
    this.releases = byId(this.needs.releases());
    const { changed, gone } = changesOf(before, this.releases);
    if (changed.length > 0)
      this.recorder.other(now, { kind: 'announcements', releases: changed.map(releaseOf) });
    const shownSince = fromSydney(previousTradingDay(sessionAt(now).date), 0, 0);
    const ids = gone.filter((id) => (before.get(id)?.time ?? 0) >= shownSince);
    if (ids.length > 0) this.recorder.other(now, { kind: 'withdrawn', ids });
  }

  private noteEvents(now: number): void {
    const next = this.needs.events();
    const { changed, gone } = changesOf(this.events, next);
    if (changed.length === 0 && gone.length === 0) return;
    this.events = new Map(next);
    this.recorder.other(now, { kind: 'calendar', events: changed, removed: gone });
  }
}

/**
 * Starts a recording into a new file.
 * @throws RecordingError (a sentence) if the file exists or can't be created
 */
export async function startRecording(path: string, needs: LiveNeeds): Promise<LiveRecording> {
  const { source } = needs;
  const startedAt = Math.round(source.clock.now());
  const date = recordedDate(startedAt);
  const head: RecordingHead = {
    version: VERSION,
    source: {
      name: source.name,
      label: source.label(),
      days: source.days,
      delayMinutes: source.delayMinutes(),
    },
    date,
    utcOffsetMinutes: utcOffsetOf(date),
    startedAt,
  };
  const file = new FileWriter(await createRecordingFile(path), head);
  return new LiveRecording(needs, file, head);
}
