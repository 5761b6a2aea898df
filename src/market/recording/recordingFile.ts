import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import {
  BLOCK_BYTES,
  type BlockHeader,
  checksumOf,
  readBlockHeader,
  readStart,
  START_BYTES,
  unpackBlock,
  type BlockPlace,
} from './blocks.ts';
import { jsonOf } from '#lib/pack.ts';
import { damaged, RecordingError } from './types.ts';
import { errorCode } from '#lib/errors.ts';

export type RecordingFile = {
  head: unknown;
  places: readonly BlockPlace[];
  until: number | null;
  read(place: BlockPlace): Uint8Array;
  close(): void;
};

type Handle = { fd: number; size: number };

function bytesAt({ fd }: Handle, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let done = 0;
  while (done < length) {
    const read = readSync(fd, bytes, done, length - done, offset + done);
    if (read === 0) return bytes.subarray(0, done);
    done += read;
  }
  return bytes;
}

function openHandle(path: string): Handle {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch (error) {
    const code = errorCode(error);
    const message = error instanceof Error ? error.message : String(error);
    throw new RecordingError(
      code === 'ENOENT'
        ? `There is no recording ${path}.`
        : `The recording ${path} can't be read (${message}).`,
      { cause: error },
    );
  }
  const info = fstatSync(fd);
  if (info.isFile()) return { fd, size: info.size };
  closeSync(fd);
  throw new RecordingError(`${path} is not a file. Name a recording.`);
}

function readHead(handle: Handle, path: string): { head: unknown; begin: number } {
  const { length, checksum } = readStart(bytesAt(handle, 0, START_BYTES), path);
  const bytes = bytesAt(handle, START_BYTES, length);
  if (bytes.length < length) throw new RecordingError(`The recording ${path} was cut off before it began.`);
  if (checksumOf(bytes) !== checksum)
    throw new RecordingError(`The head of the recording ${path} is damaged.`);
  return { head: jsonOf(bytes, damaged), begin: START_BYTES + length };
}

function headerAt(handle: Handle, offset: number): BlockHeader | null {
  const header = readBlockHeader(bytesAt(handle, offset, BLOCK_BYTES));
  return header && offset + BLOCK_BYTES + header.stored <= handle.size ? header : null;
}

function readBlock(handle: Handle, offset: number, header: BlockHeader): Uint8Array {
  const stored = bytesAt(handle, offset + BLOCK_BYTES, header.stored);
  if (stored.length < header.stored) throw damaged();
  return unpackBlock(stored, header);
}

/** The last blocks of a killed recorder may be torn. */
function isWhole(handle: Handle, place: BlockPlace): boolean {
  const header = headerAt(handle, place.offset);
  if (!header) return false;
  return checksumOf(bytesAt(handle, place.offset + BLOCK_BYTES, header.stored)) === header.checksum;
}

function walked(handle: Handle, begin: number): Pick<RecordingFile, 'places' | 'until'> {
  const places: BlockPlace[] = [];
  let offset = begin;
  for (let header = headerAt(handle, offset); header; header = headerAt(handle, offset)) {
    const { kind, from, until, stored } = header;
    places.push({ kind, offset, from, until });
    offset += BLOCK_BYTES + stored;
  }
  for (let last = places.at(-1); last && !isWhole(handle, last); last = places.at(-1)) places.pop();
  const end = places.at(-1)?.kind === 'end' ? places.pop() : undefined;
  return { places, until: end?.until ?? null };
}

/**
 * Opens a file and finds its blocks, even after a kill.
 * @throws RecordingError with a sentence if it is not a recording
 */
export function openRecordingFile(path: string): RecordingFile {
  const handle = openHandle(path);
  try {
    const { head, begin } = readHead(handle, path);
    return {
      head,
      ...walked(handle, begin),
      read(place) {
        const header = headerAt(handle, place.offset);
        if (header?.kind !== place.kind || header.from !== place.from || header.until !== place.until)
          throw damaged();
        return readBlock(handle, place.offset, header);
      },
      close: () => closeSync(handle.fd),
    };
  } catch (error) {
    closeSync(handle.fd);
    throw error;
  }
}
