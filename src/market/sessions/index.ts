import { existsSync } from 'node:fs';
import { type DayFiles, folderOf } from '#lib/dayFiles.ts';
import type { Inspection } from '#lib/inspection.ts';
import type { App, Part, Pruned } from '#platform/app.ts';
import { previousTradingDay } from '../rules/tradingDay.ts';
import type { ChangeSet } from '../types.ts';
import { SessionFilling } from './filling.ts';
import { HEAD_BYTES, isWholeFile, sessionFiles } from './files.ts';
import { OpenedSessions } from './opened.ts';
import { SessionRecorder } from './recorder.ts';

type Sessions = {
  /** The folder and the source's name for `openSessions`. */
  readonly folder: string;
  readonly source: string;
  /** Recorded dates up to the running session, oldest first. */
  dates(): string[];
  /** Increases with every stored minute and session. */
  version(): number;
  /** Sessions that are being made, null if none are. */
  progress(): { done: number; of: number } | null;
  /** For showing single minutes. */
  readonly opened: OpenedSessions;
};

/** A source that invents its past makes at most this many sessions. */
const MAX_MADE = 60;

/** Time from the start until the missing sessions are made, so that the first pages are not delayed. */
const FILL_AFTER_MS = 3000;
/** After an error, such as a full disk. */
const RETRY_MS = 3_600_000;

/**
 * Session history: the minutes of all stocks, one file per session and source. The running session is recorded;
 * earlier ones are completed, or made if the source can.
 */
class SessionHistory implements Part {
  readonly name = 'sessions';
  readonly service: Sessions;
  private readonly recorder: SessionRecorder;
  private readonly filling: SessionFilling;
  private readonly own: string;
  private filled = 0;
  private filledFor = '';
  private cancel: (() => void) | null = null;
  private hasBegun = false;
  private isRunning = false;

  constructor(
    private readonly app: App,
    private readonly files: DayFiles,
  ) {
    const { market, source, paths } = app;
    const name = source.sessions?.name ?? source.name;
    this.own = folderOf(name);
    this.recorder = new SessionRecorder(app, files, this.own);
    this.filling = new SessionFilling(app.log.child('sessions'), () => {
      this.filled += 1;
    });
    market.observe(this.recorder);
    this.service = {
      folder: paths.sessions,
      source: name,
      dates: () => this.dates(),
      version: () => this.recorder.version() + this.filled,
      opened: new OpenedSessions(files, this.own),
      progress: () => (source.sessions ? (this.filling.progress() ?? this.expected()) : null),
    };
  }

  readonly onChanges = (changes: ChangeSet | null): void => {
    this.recorder.onTick(changes);
    if (this.isRunning && this.filledFor !== this.app.market.date()) this.fillSoon();
  };

  readonly start = (): void => {
    this.isRunning = true;
    this.fillSoon();
  };

  readonly stop = (): void => {
    this.isRunning = false;
    this.cancel?.();
    this.cancel = null;
    this.filling.stop();
    this.recorder.save();
  };

  readonly prune = (): Pruned => {
    const { files, app } = this;
    let removed = 0;
    const today = app.market.date();
    for (const folder of files.folders()) {
      if (this.isOfAnotherSeed(folder)) {
        files.removeFolder(folder);
        removed += 1;
        continue;
      }
      const past = files.dates(folder).filter((date) => date !== today);
      for (const date of past.slice(app.config.historySessions)) {
        files.remove(folder, date);
        removed += 1;
      }
    }
    return { removed, hasMore: false };
  };

  readonly inspect = (): Inspection => {
    const dates = this.dates();
    const making = this.filling.progress();
    const { written, ...today } = this.recorder.figures();
    return {
      label: 'Session history',
      description: 'Stored minutes of all stocks by session, and their size on disk.',
      summary: {
        sessions: dates.length,
        bytes: dates.reduce((sum, date) => sum + this.files.size(this.own, date), 0),
        written,
        making: making ? `${making.done} of ${making.of}` : null,
      },
      data: () => ({
        source: this.service.source,
        ...this.service.opened.figures(),
        today,
        bytes: Object.fromEntries(dates.map((date) => [date, this.files.size(this.own, date)])),
      }),
    };
  };

  private dates(): string[] {
    const today = this.app.market.date();
    return this.files
      .dates(this.own)
      .filter((date) => date <= today)
      .toReversed();
  }

  /** Folders of the same kind of source that another setting made. */
  private isOfAnotherSeed(folder: string): boolean {
    const { source } = this.app;
    return (
      source.sessions !== undefined && folder !== this.own && folder.startsWith(folderOf(`${source.name} `))
    );
  }

  /** What will be made after the start; null once it has begun, or if nothing is missing. */
  private expected(): { done: number; of: number } | null {
    if (this.hasBegun) return null;
    const wanted = this.wantedDates();
    const done = wanted.filter((date) => this.isWhole(date)).length;
    return done < wanted.length ? { done, of: wanted.length } : null;
  }

  private fillSoon(): void {
    this.filledFor = this.app.market.date();
    this.cancel?.();
    this.cancel = this.app.schedule(FILL_AFTER_MS, () => void this.fillOrRetry());
  }

  private async fillOrRetry(): Promise<void> {
    this.hasBegun = true;
    if (await this.fill()) return;
    if (this.isRunning) this.cancel = this.app.schedule(RETRY_MS, () => void this.fillOrRetry());
  }

  /** @returns false if it must be tried again */
  private async fill(): Promise<boolean> {
    const { app, own, files } = this;
    const { paths, source } = app;
    const to = { folder: paths.sessions, source: this.service.source };
    const missing = this.wantedDates().filter((date) => !this.isWhole(date));
    if (source.sessions) return this.filling.run([{ ...to, dates: missing, make: source.sessions.make }]);
    const isRecorded = (date: string): boolean => files.size(own, date) > 0;
    // A replayed session is its recording.
    const hasRecordings = !source.replay && existsSync(paths.recordings);
    return this.filling.run([
      { ...to, dates: missing.filter(isRecorded), make: { kind: 'recorded' } },
      {
        ...to,
        dates: hasRecordings ? missing.filter((date) => !isRecorded(date)) : [],
        make: { kind: 'recordings', recordings: paths.recordings, sourceName: source.name },
      },
    ]);
  }

  /** The sessions before the running one, newest first. */
  private wantedDates(): string[] {
    const { config, market, source } = this.app;
    const count = source.sessions ? Math.min(config.historySessions, MAX_MADE) : config.historySessions;
    const dates: string[] = [];
    let date = market.date();
    for (let left = count; left > 0; left -= 1) {
      date = previousTradingDay(date);
      dates.push(date);
    }
    return dates;
  }

  private isWhole(date: string): boolean {
    const head = this.files.read(this.own, date, 0, HEAD_BYTES);
    return head !== null && isWholeFile(head, this.files.size(this.own, date));
  }
}

export const createSessions = (
  app: App,
  files: DayFiles = sessionFiles(app.paths.sessions),
): SessionHistory => new SessionHistory(app, files);

declare module '#platform/app.ts' {
  interface App {
    sessions: Sessions;
  }
}
