import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  nameOfFile,
  RECORDING_ENDING,
  recordingName,
  suggestedName,
} from '#market/recording/rules/recordingName.ts';
import { RecordingError } from '#market/recording/types.ts';
import { LINKED, openRecording } from '#market/recording/open.ts';
import { isDiskLow, LOW_DISK_BYTES } from '#admin/backups/rules/keptBackups.ts';
import { AppError } from '#platform/http/errors.ts';
import { humanSize } from '#lib/wording.ts';
import type { App } from '#platform/app.ts';
import type { Log } from '#lib/log.ts';
import type { ChangeSet } from '#market/types.ts';
import { type LiveRecording, recordedDate, startRecording } from '#market/recording/live.ts';

/** Facts of a recording; null if the file cannot be read. Times are epoch ms. */
export type RecordingFacts = {
  date: string | null;
  source: string | null;
  from: number | null;
  until: number | null;
  isCutOff: boolean;
  /** Why it cannot be played, as a sentence; null if it can. */
  problem: string | null;
};

export type RecordingEntry = RecordingFacts & { name: string; size: number; changedAt: number };

const MAX_LISTED = 200;

const UNREAD: RecordingFacts = {
  date: null,
  source: null,
  from: null,
  until: null,
  isCutOff: false,
  problem: null,
};

function factsOf(path: string): RecordingFacts {
  try {
    const recording = openRecording(path);
    recording.close();
    const { head, from, until, isCutOff } = recording;
    return { ...UNREAD, date: head.date, source: head.source.label, from, until, isCutOff };
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error;
    // The path is removed, because administrators know it.
    return { ...UNREAD, problem: error.message.replaceAll(` ${path}`, '') };
  }
}

/**
 * The recordings in a folder. A file is read once, and again after it changed. Symbolic links are not followed, because
 * one could lead to a private file.
 */
export class RecordingFolder {
  readonly #read = new Map<string, { stamp: string; facts: RecordingFacts }>();

  constructor(private readonly folder: string) {}

  names(): string[] {
    if (!existsSync(this.folder)) return [];
    return readdirSync(this.folder).flatMap((file) => nameOfFile(file) ?? []);
  }

  pathOf(name: string): string {
    return join(this.folder, name + RECORDING_ENDING);
  }

  newPath(name: string): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    return this.pathOf(name);
  }

  list(except: string | null): RecordingEntry[] {
    return this.names()
      .filter((name) => name !== except)
      .slice(0, MAX_LISTED)
      .flatMap((name) => this.#entryOf(name) ?? [])
      .sort((a, b) => b.changedAt - a.changedAt || (a.name < b.name ? 1 : -1));
  }

  remove(name: string): void {
    rmSync(this.pathOf(name), { force: true });
    this.#read.delete(name);
  }

  #entryOf(name: string): RecordingEntry | null {
    const path = this.pathOf(name);
    const info = lstatSync(path, { throwIfNoEntry: false });
    const changedAt = Math.round(info?.mtimeMs ?? 0);
    if (info?.isSymbolicLink()) return { ...UNREAD, problem: LINKED, name, size: 0, changedAt };
    if (!info?.isFile()) return null;
    const stamp = `${String(info.size)} ${String(info.mtimeMs)}`;
    const known = this.#read.get(name);
    const facts = known?.stamp === stamp ? known.facts : factsOf(path);
    this.#read.set(name, { stamp, facts });
    return { ...facts, name, size: info.size, changedAt };
  }
}

/** Times are epoch ms on the market's clock. */
export type RunningRecording = { name: string; date: string; from: number; until: number; size: number };

const NO_NAME = 'Name the recording with letters, digits, spaces and hyphens, at most 60 characters.';
const RUNNING = 'A recording is already in progress. Stop it first.';
const UNDER_WAY = 'This recording is in progress. Stop it first.';
const DISK_LOW =
  'The disk is almost full, so the recording was stopped. The part that was saved can be played.';
const GONE = 'That recording no longer exists. Reload the list.';
const CHECK_EVERY_MS = 60_000;

type EarlyEnd = { name: string; reason: string };

export class Recordings {
  #running: { name: string; live: LiveRecording } | null = null;
  #isStarting = false;
  #failure: EarlyEnd | null = null;
  #checkedAt = 0;

  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly files: RecordingFolder,
  ) {
    this.#log = app.log.child('recordings');
  }

  list(): RecordingEntry[] {
    return this.files.list(this.#running?.name ?? null);
  }

  /** @throws AppError 404 */
  find(name: string): RecordingEntry {
    const entry = this.list().find((one) => one.name === name);
    if (!entry) throw new AppError(404, GONE);
    return entry;
  }

  /** Finds a recording that may be downloaded. @throws AppError 404; 409 for a symbolic link */
  findFile(name: string): RecordingEntry {
    const entry = this.find(name);
    if (entry.problem === LINKED)
      throw new AppError(409, `The recording ${name} can't be downloaded. ${LINKED}`);
    return entry;
  }

  /** @throws AppError 409 for the running recording */
  requireWritten(name: string): void {
    if (this.#running?.name === name) throw new AppError(409, UNDER_WAY);
  }

  running(): RunningRecording | null {
    if (!this.#running) return null;
    const { name, live } = this.#running;
    return { name, date: live.date, from: live.startedAt, until: live.until(), size: live.size() };
  }

  /** Why the last recording ended early; null once another one has started. */
  failure(): EarlyEnd | null {
    return this.#failure;
  }

  disk(): { free: number | null; isLow: boolean } {
    const free = this.app.diskRoom()?.free ?? null;
    return { free, isLow: free !== null && isDiskLow(free) };
  }

  suggestion(): string {
    return suggestedName(recordedDate(this.app.source.clock.now()), this.files.names());
  }

  /** @throws AppError 400 for an invalid name, 409 if one is running, the name exists, or the disk is full */
  async start(typed: string): Promise<string> {
    const name = recordingName(typed);
    if (name === null) throw new AppError(400, { field: 'name', message: NO_NAME });
    if (this.#running || this.#isStarting) throw new AppError(409, RUNNING);
    this.#requireRoom(name);
    this.#isStarting = true;
    try {
      const { announcements, calendar, clock, market, source } = this.app;
      const live = await startRecording(this.files.newPath(name), {
        market,
        source,
        stopwatch: clock,
        releases: () => announcements.recent(),
        events: calendar.events,
      });
      this.#running = { name, live };
      this.#failure = null;
      this.#checkedAt = clock.monotonic();
      return name;
    } catch (error) {
      if (error instanceof RecordingError) throw new AppError(409, error.message);
      throw error;
    } finally {
      this.#isStarting = false;
    }
  }

  /** Stops the running recording. @returns its name @throws AppError 409 if none is running */
  async stop(): Promise<string> {
    const name = this.#running?.name;
    if (name === undefined) throw new AppError(409, 'No recording is in progress.');
    await this.#end(null);
    return name;
  }

  /** Deletes a recording. @throws AppError 404; 409 for the running one */
  remove(name: string): RecordingEntry {
    this.requireWritten(name);
    const entry = this.find(name);
    this.files.remove(name);
    return entry;
  }

  onChanges(changes: ChangeSet | null): void {
    if (!this.#running) return;
    const { live } = this.#running;
    live.onChanges(changes);
    // If the session is over, the recording is complete, which is not a failure.
    if (live.isOver() || live.failure() !== null) void this.#end(null);
    else if (this.#isDiskLowNow()) void this.#end(DISK_LOW);
  }

  close(): Promise<void> {
    return this.#end(null);
  }

  /** @throws AppError 409 if the name exists or the disk is full */
  #requireRoom(name: string): void {
    if (this.files.names().some((one) => one.toLowerCase() === name.toLowerCase()))
      throw new AppError(409, `A recording named ${name} already exists. Choose another name.`);
    const { free, isLow } = this.disk();
    if (free !== null && isLow)
      throw new AppError(
        409,
        `The disk is almost full: ${humanSize(free)} free, and a recording needs ${humanSize(LOW_DISK_BYTES)}. Free some space first.`,
      );
  }

  #isDiskLowNow(): boolean {
    const now = this.app.clock.monotonic();
    if (now - this.#checkedAt < CHECK_EVERY_MS) return false;
    this.#checkedAt = now;
    return this.disk().isLow;
  }

  /** Ends the running recording, if there is one. @param reason why it ends early, as a sentence */
  async #end(reason: string | null): Promise<void> {
    const ended = this.#running;
    if (!ended) return;
    this.#running = null;
    const { name, live } = ended;
    const problem = (await live.end()) ?? reason;
    if (problem === null) {
      this.#log.info('Started a recording', { name, bytes: live.size() });
      return;
    }
    this.#failure = { name, reason: problem };
    this.#log.warn('Ended a recording', { name, reason: problem });
  }
}
