import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { constants } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '#platform/http/errors.ts';
import { errorCode } from '#lib/errors.ts';

type LogFileInfo = { name: string; size: number; mtimeMs: number; id: string };

export const NO_FILE = 'There is no such log file.';

/** A log folder has a dozen files; more than this are not shown. */
const MAX_FILES = 500;

/** An id of a file that survives renames. */
const idOf = ({ ino, birthtimeMs }: { ino: number; birthtimeMs: number }): string =>
  `${ino}-${Math.trunc(birthtimeMs)}`;

/** Whether an error means that the file is missing, or replaced by a link. */
export const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO'].includes(errorCode(error));

function orNone<T>(none: T): (error: unknown) => T {
  return (error) => {
    if (isMissing(error)) return none;
    throw error;
  };
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(orNone([]));
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => name)
    .slice(0, MAX_FILES);
}

export async function listFiles(folder: string): Promise<LogFileInfo[]> {
  const names = await namesIn(folder);
  const found = await Promise.all(
    names.map(async (name) => {
      const info = await lstat(join(folder, name)).catch(orNone(null));
      return info?.isFile() ? { name, size: info.size, mtimeMs: info.mtimeMs, id: idOf(info) } : null;
    }),
  );
  return found.filter((file) => file !== null);
}

export type OpenLogFile = { handle: FileHandle; size: number; id: string };

/** @throws AppError 404 unless the folder contains a file with exactly that name */
export async function requireListed(folder: string, name: string): Promise<void> {
  if (!(await namesIn(folder)).includes(name)) throw new AppError(404, NO_FILE);
}

/**
 * Opens a file of the folder for reading; the caller closes it. Links are not followed, and pipes do not block.
 * @throws AppError 404 if the folder has no such file
 */
export async function openFile(folder: string, name: string): Promise<OpenLogFile> {
  await requireListed(folder, name);
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const handle = await open(join(folder, name), flags).catch(orNone(null));
  const info = await handle?.stat();
  if (handle && info?.isFile()) return { handle, size: info.size, id: idOf(info) };
  await handle?.close();
  throw new AppError(404, NO_FILE);
}

export type Chunk = {
  text: string;
  end: number;
  isCut: boolean;
};

const CHUNK_BYTES = 64 * 1024;
/** Limits per answer: 5000 lines of 400 characters, and for added text less. */
const MAX_BYTES = 2 * 1024 * 1024;
const MAX_NEW_BYTES = 256 * 1024;
/** Longer lines are truncated, because browsers draw them slowly. */
const MAX_LINE = 4000;
const NEWLINE = 0x0a;

/** Reads bytes at a position; fewer at the end of the file. */
async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, position + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}

/** Number of bytes that are complete UTF-8 characters. The last character may be incomplete. */
function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return back < length ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

const decoder = new TextDecoder();

const shorten = (line: string): string =>
  line.length <= MAX_LINE ? line : `${line.slice(0, MAX_LINE)} … (${line.length - MAX_LINE} more characters)`;

/** @param isWhole whether the text starts at the beginning of a line; otherwise its first line is dropped */
function linesOf(text: string, isWhole: boolean, limit = Number.POSITIVE_INFINITY): string {
  const lines = text.split('\n');
  const endsInLine = lines.at(-1) !== '';
  if (!endsInLine) lines.pop();
  if (!isWhole && lines.length > 1) lines.shift();
  const last = lines.slice(Math.max(0, lines.length - limit)).map(shorten);
  return last.length === 0 ? '' : `${last.join('\n')}${endsInLine ? '' : '\n'}`;
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count += 1;
  return count;
}

/** The last lines of a file, read from its end. */
export async function readTail(handle: FileHandle, size: number, lines: number): Promise<Chunk> {
  const chunks: Buffer[] = [];
  let start = size;
  // Starts at −1, because the newline at the end of the last line does not begin another.
  let found = -1;
  while (start > 0 && found < lines && size - start < MAX_BYTES) {
    const length = Math.min(CHUNK_BYTES, start);
    const chunk = await readAt(handle, start - length, length);
    if (chunk.length < length) return { text: '', end: 0, isCut: false };
    chunks.push(chunk);
    start -= length;
    found += countNewlines(chunk);
  }
  const bytes = Buffer.concat(chunks.reverse());
  const whole = bytes.subarray(0, wholeLength(bytes));
  const text = linesOf(decoder.decode(whole), start === 0, lines);
  return { text, end: start + whole.length, isCut: start > 0 && found < lines };
}

/** The text of a file after a position, at most its last 256 KB. */
export async function readFrom(handle: FileHandle, size: number, after: number): Promise<Chunk> {
  const start = Math.max(after, size - MAX_NEW_BYTES);
  const bytes = await readAt(handle, start, Math.max(0, size - start));
  const whole = bytes.subarray(0, wholeLength(bytes));
  const isCut = start > after;
  return { text: linesOf(decoder.decode(whole), !isCut), end: start + whole.length, isCut };
}
