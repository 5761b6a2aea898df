import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type DayFiles, folderOf } from '#lib/dayFiles.ts';
import type { Log } from '#lib/log.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import type { Recording } from '../recording/dayBook.ts';
import { openRecording } from '../recording/open.ts';
import { nameOfFile } from '../recording/rules/recordingName.ts';
import type { RecordedEvent } from '../recording/types.ts';
import { ObservedMarket } from '../observed.ts';
import type { NewsDay } from '../rules/stock.ts';
import type { Release } from '../sources/announcements.ts';
import { sessionFiles } from './files.ts';
import { joinSession } from './join.ts';
import { SessionRecorder } from './recorder.ts';

const MINUTE_MS = 60_000;

/** The announcements of a recording, by stock, as the Market shows them. */
class RecordedNews {
  private readonly byCode = new Map<string, Map<string, Release>>();

  constructor(
    private readonly market: ObservedMarket,
    private readonly recorder: SessionRecorder,
  ) {}

  take(releases: readonly Release[]): void {
    for (const release of releases) {
      const own = this.byCode.get(release.code) ?? new Map<string, Release>();
      this.byCode.set(release.code, own.set(release.id, release));
      this.show(release.code, own);
    }
  }

  withdraw(ids: readonly string[]): void {
    for (const [code, own] of this.byCode) {
      if (ids.filter((id) => own.delete(id)).length > 0) this.show(code, own);
    }
  }

  private show(code: string, own: ReadonlyMap<string, Release>): void {
    const news: Record<string, NewsDay> = {};
    for (const { id, time, headline, url, announcementTypes, isPriceSensitive } of own.values()) {
      const date = sydneyDate(time);
      news[date] ??= {
        headline: null,
        summary: null,
        summary_generated_at: null,
        alerted: false,
        announcements: {},
      };
      news[date].announcements[id] = {
        headline,
        url,
        announcementTypes,
        isPriceSensitive,
        time: new Date(time).toISOString(),
      };
    }
    const sensitiveAnnouncements = this.market.get(code)?.sensitiveAnnouncements ?? null;
    this.market.setNews(code, { news, sensitiveAnnouncements });
    this.recorder.newsChanged([code]);
  }
}

/** Plays a recording into a Market of its own, and records the session from it. */
function record(recording: Recording, files: DayFiles, source: string, log: Log): void {
  const { head, from, until } = recording;
  let now = from;
  let lastSuccess = from;
  const clock = { now: () => now, monotonic: () => now, speed: 1 };
  const market = new ObservedMarket({ clock, days: head.source.days }, log);
  const recorder = new SessionRecorder(
    {
      log,
      market,
      clock,
      source: {
        clock,
        delayMinutes: () => head.source.delayMinutes,
        health: () => ({ healthy: true, problem: null, lastSuccess, measuredLagMs: null }),
      },
    },
    files,
    folderOf(source),
  );
  market.observe(recorder);
  const news = new RecordedNews(market, recorder);
  const play = (event: RecordedEvent): void => {
    if (event.kind === 'stocks') market.apply(event.updates);
    else if (event.kind === 'remove') market.remove(event.codes);
    else if (event.kind === 'announcements') news.take(event.releases);
    else if (event.kind === 'withdrawn') news.withdraw(event.ids);
  };
  const base = recording.baseAt(from);
  market.jump({ stocks: base.stocks, facts: base.facts ?? {} }, () => {});
  news.take(base.releases);
  /** Ends every minute, even one without an event. A minute that was not recorded to its end is a gap. */
  const goTo = (time: number): void => {
    for (let next = nextMinute(now); next <= time; next = nextMinute(now)) {
      now = next;
      recorder.onTick(null);
    }
    now = time;
  };
  for (const event of recording.events(from, until)) {
    goTo(event.time);
    lastSuccess = now;
    play(event);
  }
  goTo(until);
  recorder.save();
}

const nextMinute = (time: number): number => (Math.floor(time / MINUTE_MS) + 1) * MINUTE_MS;

type Wanted = { folder: string; source: string; dates: readonly string[] };

/**
 * Makes the sessions of which there is a recording of the same source.
 * @param recordings their folder
 * @param sourceName the source that was recorded
 * @param made called after each session
 */
export function recordedSessions(
  { folder, source, dates }: Wanted,
  { recordings, sourceName }: { recordings: string; sourceName: string },
  log: Log,
  made: (date: string) => void,
): void {
  const missing = new Set(dates);
  const files = sessionFiles(folder);
  for (const file of readdirSync(recordings)) {
    if (missing.size === 0) return;
    if (nameOfFile(file) === null) continue;
    try {
      const recording = openRecording(join(recordings, file));
      try {
        const { date, source: recorded } = recording.head;
        const { name } = recorded;
        if (name !== sourceName || !missing.delete(date)) continue;
        record(recording, files, source, log);
        joinSession(folder, source, date);
        made(date);
      } finally {
        recording.close();
      }
    } catch (error) {
      log.warn('A recording could not fill the session history', { file, error });
    }
  }
}
