import { dayFiles, folderOf } from '#lib/dayFiles.ts';
import { coverageOf, gapsOf, isWholePart, readParts, readStocks, type SessionPart } from './parts.ts';
import type { SessionReader } from './rules/sessionDay.ts';

const EXTENSION = '.session';

/** 'SESS' */
const MARK = 0x53534553;
/** Mark, length and checksum of a part, 32 bits each. */
export const FRAME_BYTES = 12;

export const sessionFiles = (folder: string) => dayFiles(folder, EXTENSION);

/** A part as it is in the file. */
export function framed(body: Uint8Array): Uint8Array {
  const out = Buffer.alloc(FRAME_BYTES + body.length);
  out.writeUInt32LE(MARK, 0);
  out.writeUInt32LE(body.length, 4);
  out.writeUInt32LE(Bun.hash.crc32(body), 8);
  out.set(body, FRAME_BYTES);
  return out;
}

/** The parts of a file up to the first incomplete one, as after a crash, and where the last complete one ends. */
export function unframed(bytes: Uint8Array): { bodies: Uint8Array[]; end: number } {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const bodies: Uint8Array[] = [];
  let end = 0;
  while (end + FRAME_BYTES <= file.length && file.readUInt32LE(end) === MARK) {
    const until = end + FRAME_BYTES + file.readUInt32LE(end + 4);
    if (until > file.length) break;
    const body = bytes.subarray(end + FRAME_BYTES, until);
    if (Bun.hash.crc32(body) !== file.readUInt32LE(end + 8)) break;
    bodies.push(body);
    end = until;
  }
  return { bodies, end };
}

/**
 * Whether a file has a whole session, which is one part.
 * @param bytes its first `HEAD_BYTES` or more
 * @param size of the file; one that was cut off is not whole
 */
export const isWholeFile = (bytes: Uint8Array, size: number): boolean =>
  bytes.length >= HEAD_BYTES &&
  Buffer.from(bytes.buffer, bytes.byteOffset).readUInt32LE(4) === size - FRAME_BYTES &&
  isWholePart(bytes.subarray(FRAME_BYTES));

/** The number of bytes that `isWholeFile` needs. */
export const HEAD_BYTES = FRAME_BYTES + 2;

/** The readable parts of a session's file. */
export const partsIn = (bytes: Uint8Array): SessionPart[] => readParts(unframed(bytes).bodies).parts;

/**
 * Opens the recorded sessions of a source for reading, in any thread.
 * @param folder of all session histories
 * @param source its name there
 */
export function openSessions(folder: string, source: string) {
  const files = sessionFiles(folder);
  const own = folderOf(source);
  return {
    /** Recorded dates, oldest first. */
    dates: (): string[] => files.dates(own).toReversed(),
    /** @returns null if there is no readable session; minutes after an unreadable part are missing */
    read(date: string): SessionReader | null {
      const bytes = files.read(own, date);
      const parts = bytes ? partsIn(bytes) : [];
      if (parts.length === 0) return null;
      const isComplete = parts.at(-1)?.isWhole ?? false;
      return {
        date,
        source,
        isComplete,
        gaps: gapsOf(coverageOf(parts), isComplete),
        stocks: () => readStocks(parts),
      };
    },
  };
}
