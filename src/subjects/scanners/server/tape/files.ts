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
} from 'node:fs';
import { join } from 'node:path';
import { syncFolder, writeAll } from '#lib/files.ts';

/** One file per day in a folder per source. Dates are Sydney sessions, YYYY-MM-DD. */
export type TapeFiles = {
  folders(): string[];
  /** Newest first. */
  dates(folder: string): string[];
  /** Reads a range of a file, or all of it; null for no file. */
  read(folder: string, date: string, from?: number, to?: number): Uint8Array | null;
  /**
   * Writes at a position, which becomes the end, and syncs.
   * @throws system errors; then everything before the position is intact
   */
  write(folder: string, date: string, at: number, bytes: Uint8Array): void;
  remove(folder: string, date: string): void;
};

const EXTENSION = '.tape';
const DATED = /^\d{4}-\d{2}-\d{2}\.tape$/;
const MAX_NAME = 120;

/** Encodes the source's name, because a recording can claim any. */
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

/** @param base folder of all tapes, created on the first write */
export function tapeFiles(base: string): TapeFiles {
  const path = (folder: string, date: string): string => join(base, folder, `${date}${EXTENSION}`);
  return {
    folders: () => namesIn(base),
    dates: (folder) =>
      namesIn(join(base, folder))
        .filter((name) => DATED.test(name))
        .map((name) => name.slice(0, -EXTENSION.length))
        .toSorted()
        .toReversed(),
    read(folder, date, from = 0, to) {
      if (!existsSync(path(folder, date))) return null;
      return to === undefined
        ? readFileSync(path(folder, date)).subarray(from)
        : sliceOf(path(folder, date), from, to);
    },
    write(folder, date, at, bytes) {
      const isNew = !existsSync(path(folder, date));
      if (isNew) mkdirSync(join(base, folder), { recursive: true, mode: 0o700 });
      const handle = openSync(path(folder, date), isNew ? 'wx+' : 'r+', 0o600);
      try {
        ftruncateSync(handle, at);
        writeAll(handle, bytes, at);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      if (isNew) syncFolder(join(base, folder));
    },
    remove: (folder, date) => rmSync(path(folder, date), { force: true }),
  };
}
