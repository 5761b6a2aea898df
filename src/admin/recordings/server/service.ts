import { mkdirSync } from 'node:fs';
import { isDiskLow, LOW_DISK_BYTES } from '../../backups/rules/diskSpace.ts';
import { recordingName, suggestedName } from '../rules/recordingName.ts';
import { AppError } from '../../../platform/http/errors.ts';
import { humanSize } from '../../../lib/humanSize.ts';
import type { Log } from '../../../lib/log.ts';
import type { ChangeSet } from '../../../market/types.ts';
import { RecordingError } from '../../../market/recording/errors.ts';
import {
  type LiveNeeds,
  type LiveRecording,
  recordedDate,
  startRecording,
} from '../../../market/recording/live.ts';
import type { RecordingEntry, RecordingFolder } from './folder.ts';

export type RecordingsDeps = LiveNeeds & {
  log: Log;
  files: RecordingFolder;
  folder: string;
  /** Bytes that are free on the disk; null when the system does not tell. */
  free(): number | null;
};

/** A recording under way. Times are epoch ms on the market's clock. */
export type RunningRecording = { name: string; date: string; from: number; until: number; size: number };

const NO_NAME = 'Name the recording with letters, digits, spaces and hyphens, at most 60 characters.';
const RUNNING = 'A recording is already under way. Stop it first.';
const UNDER_WAY = 'This recording is under way. Stop it first.';
const GONE = 'That recording is not there any more. Reload the list.';
const LOOK_EVERY_MS = 60_000;

/** The recordings of the data folder, and the making of them, one at a time. */
export function createRecordingsService(deps: RecordingsDeps) {
  const { files, folder, log, source, stopwatch, free } = deps;
  let running: { name: string; live: LiveRecording } | null = null;
  let isStarting = false;
  let failure: { name: string; reason: string } | null = null;
  let lookedAt = 0;

  const lowDisk = (): number | null => {
    const bytes = free();
    return bytes !== null && isDiskLow(bytes, false) ? bytes : null;
  };

  /** Ends the one under way, if any. @param reason why it ends by itself, a sentence */
  async function end(reason: string | null): Promise<void> {
    const ended = running;
    if (!ended) return;
    running = null;
    const problem = (await ended.live.end()) ?? reason;
    if (problem === null) log.info('A recording was made', { name: ended.name, bytes: ended.live.size() });
    else {
      failure = { name: ended.name, reason: problem };
      log.warn('A recording was ended', { name: ended.name, reason: problem });
    }
  }

  function isDiskLowNow(): boolean {
    if (stopwatch.monotonic() - lookedAt < LOOK_EVERY_MS) return false;
    lookedAt = stopwatch.monotonic();
    return lowDisk() !== null;
  }

  const list = (): RecordingEntry[] => files.list(running?.name ?? null);

  /** @throws AppError 404 */
  function found(name: string): RecordingEntry {
    const entry = list().find((one) => one.name === name);
    if (!entry) throw new AppError(404, GONE);
    return entry;
  }

  return {
    list,
    find: found,
    /** @throws AppError 409 for the one that is under way */
    requireWritten(name: string): void {
      if (running?.name === name) throw new AppError(409, UNDER_WAY);
    },

    running(): RunningRecording | null {
      if (!running) return null;
      const { name, live } = running;
      return { name, date: live.date, from: live.startedAt, until: live.until(), size: live.size() };
    },

    /** Why the last one ended by itself; null once another was begun. */
    failure: () => failure,

    disk(): { free: number | null; isLow: boolean } {
      const bytes = free();
      return { free: bytes, isLow: bytes !== null && isDiskLow(bytes, false) };
    },

    suggestion: (): string => suggestedName(recordedDate(source.clock.now()), files.names()),

    /** @throws AppError 400 for a name that can't be, 409 while one is under way, for a name that is taken, or a full disk */
    async start(typed: string): Promise<string> {
      const name = recordingName(typed);
      if (name === null) throw new AppError(400, { field: 'name', message: NO_NAME });
      if (running || isStarting) throw new AppError(409, RUNNING);
      if (files.names().some((one) => one.toLowerCase() === name.toLowerCase()))
        throw new AppError(409, `There is already a recording ${name}. Choose another name.`);
      const low = lowDisk();
      if (low !== null)
        throw new AppError(
          409,
          `The disk is almost full: ${humanSize(low)} free, and a recording needs ${humanSize(LOW_DISK_BYTES)}. Make room first.`,
        );
      isStarting = true;
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        running = { name, live: await startRecording(files.pathOf(name), deps) };
        failure = null;
        lookedAt = stopwatch.monotonic();
        return name;
      } catch (error) {
        if (error instanceof RecordingError) throw new AppError(409, error.message);
        throw error;
      } finally {
        isStarting = false;
      }
    },

    /** Writes what waits. @returns the recording's name @throws AppError 409 when none is under way */
    async stop(): Promise<string> {
      const name = running?.name;
      if (name === undefined) throw new AppError(409, 'No recording is under way.');
      await end(null);
      return name;
    },

    /** @throws AppError 404, and 409 for the one that is under way */
    remove(name: string): RecordingEntry {
      if (running?.name === name) throw new AppError(409, UNDER_WAY);
      const entry = found(name);
      files.remove(name);
      return entry;
    },

    onChanges(changes: ChangeSet | null): void {
      if (!running) return;
      const { live } = running;
      live.onChanges(changes);
      // Its session is recorded whole: that is no failure.
      if (live.isOver() || live.failure() !== null) void end(null);
      else if (isDiskLowNow())
        void end('The disk is almost full, so the recording was stopped; what is in the file can be played.');
    },

    /** For the stop of the server. */
    close: () => end(null),
  };
}

export type Recordings = ReturnType<typeof createRecordingsService>;
