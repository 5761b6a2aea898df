import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { syncFolder, writeAll, writeDurably } from './files.ts';

/** Files of one kind: one per day, in a folder per source. Dates are Sydney sessions, YYYY-MM-DD. */
export type DayFiles = {
  folders(): string[];
  /** Dates of a folder, newest first. */
  dates(folder: string): string[];
  /** Reads a range of a file, or all of it; null if there is no file. */
  read(folder: string, date: string, from?: number, to?: number): Uint8Array | null;
  /** Bytes of a file; 0 if there is none. */
  size(folder: string, date: string): number;
  /**
   * Writes at a position and truncates the file after it.
   * @param isSynced whether the bytes are on the disk before it returns, so that a power cut loses nothing
   * @throws system errors; then everything before the position is intact
   */
  write(folder: string, date: string, at: number, bytes: Uint8Array, isSynced?: boolean): void;
  /** Replaces a file: it then has either the old or the new bytes, even after a power cut. @throws system errors */
  replace(folder: string, date: string, bytes: Uint8Array): void;
  remove(folder: string, date: string): void;
  removeFolder(folder: string): void;
};

const MAX_NAME = 120;

/** The folder's name. The source's name is encoded, because a recording can have any name. */
export function folderOf(source: string): string {
  const name = encodeURIComponent(source.toWellFormed()).replaceAll('.', '%2E');
  return name.length > 0 && name.length <= MAX_NAME ? name : `source-${Bun.hash(source).toString(36)}`;
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : []);

function sliceOf(path: string, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(to - from);
  const handle = openSync(path, 'r');
  try {
    return bytes.subarray(0, readSync(handle, bytes, 0, bytes.length, from));
  } finally {
    closeSync(handle);
  }
}

/**
 * @param base folder of all sources, created on the first write
 * @param extension of the files, such as `.session`
 */
export function dayFiles(base: string, extension: string): DayFiles {
  const path = (folder: string, date: string): string => join(base, folder, `${date}${extension}`);
  const isDated = (name: string): boolean =>
    name.endsWith(extension) && /^\d{4}-\d{2}-\d{2}$/.test(name.slice(0, -extension.length));
  return {
    folders: () => namesIn(base),
    dates: (folder) =>
      namesIn(join(base, folder))
        .filter(isDated)
        .map((name) => name.slice(0, -extension.length))
        .toSorted()
        .toReversed(),
    read(folder, date, from = 0, to) {
      if (!existsSync(path(folder, date))) return null;
      return to === undefined
        ? readFileSync(path(folder, date)).subarray(from)
        : sliceOf(path(folder, date), from, to);
    },
    size: (folder, date) => statSync(path(folder, date), { throwIfNoEntry: false })?.size ?? 0,
    write(folder, date, at, bytes, isSynced = true) {
      const isNew = !existsSync(path(folder, date));
      if (isNew) mkdirSync(join(base, folder), { recursive: true, mode: 0o700 });
      const handle = openSync(path(folder, date), isNew ? 'wx+' : 'r+', 0o600);
      try {
        ftruncateSync(handle, at);
        writeAll(handle, bytes, at);
        if (isSynced) fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      if (isNew && isSynced) syncFolder(join(base, folder));
    },
    replace(folder, date, bytes) {
      mkdirSync(join(base, folder), { recursive: true, mode: 0o700 });
      writeDurably(path(folder, date), bytes, 0o600);
    },
    remove: (folder, date) => rmSync(path(folder, date), { force: true }),
    removeFolder: (folder) => rmSync(join(base, folder), { recursive: true, force: true }),
  };
}
