import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { nameOfFile, RECORDING_ENDING } from '#market/recording/rules/recordingName.ts';
import { RecordingError } from '#market/recording/types.ts';
import { LINKED, openRecording } from '#market/recording/open.ts';

/** What a recording's file says of it. Times are epoch ms; null where it can't be read. */
export type RecordingFacts = {
  date: string | null;
  /** The label of the source that was recorded. */
  source: string | null;
  from: number | null;
  until: number | null;
  isCutOff: boolean;
  /** Why it can't be played, a sentence; null when it can. */
  problem: string | null;
};

export type RecordingEntry = RecordingFacts & { name: string; size: number; changedAt: number };

/** More are not listed: each is opened once. */
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
    // The panel's reader knows where recordings lie.
    return { ...UNREAD, problem: error.message.replaceAll(` ${path}`, '') };
  }
}

/**
 * The recordings in a folder. What a file says is read once, and again when it has changed. A symbolic link is never
 * followed: it could lead to a file that its maker may not read, and the server may.
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

  /** Where a new recording goes; the folder is there then. */
  newPath(name: string): string {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    return this.pathOf(name);
  }

  /** Newest first. @param except the one that is being written */
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
    // It may have been deleted since it was listed.
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
