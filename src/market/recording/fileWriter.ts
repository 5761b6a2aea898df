import { type FileHandle, open } from 'node:fs/promises';
import { isNoRoom } from '../../lib/diskFull.ts';
import { type BlockKind, blockHeaderBytes, checksumOf, startBytes } from './blocks.ts';
import { type BlockPlace, endBytes, writeIndex } from './blockIndex.ts';
import { bytesOfJson } from './bytes.ts';
import { RecordingError } from './errors.ts';
import type { RecordingHead } from './types.ts';

/** What of a file the writer uses; a test passes one that fails. */
export type OutFile = Pick<FileHandle, 'write' | 'datasync' | 'truncate' | 'close'>;

/** So much may wait for a disk that does not follow. */
const MAX_WAITING_BYTES = 64_000_000;

const TOO_SLOW = 'The disk is too slow, so the recording was stopped; what is in the file can be played.';

function reasonOf(error: unknown): string {
  if (error instanceof RecordingError) return error.message;
  if (isNoRoom(error))
    return 'The disk is full, so the recording was stopped; what is in the file can be played. Make room.';
  const reason = error instanceof Error ? error.message : String(error);
  return `The recording could not be written (${reason}) and was stopped; what is in the file can be played.`;
}

/** Writes the blocks of one recording. */
export type FileWriter = {
  /** Takes a block, to be compressed and written after those before it. Nothing is taken after a failure. */
  add(kind: Exclude<BlockKind, 'index'>, from: number, until: number, raw: Uint8Array): void;
  /** Why nothing more is written, a sentence; null while all is well. */
  failure(): string | null;
  /** Bytes on the disk. */
  size(): number;
  /** Bytes that wait for it, before they are compressed. */
  waiting(): number;
  /** Writes what waits and the index. Never rejects: see `failure`. @param until the last moment, epoch ms */
  end(until: number): Promise<void>;
};

/** Opens a new file for a recording. @throws RecordingError (a sentence) when it is there already or can't be made */
export async function createRecordingFile(path: string): Promise<OutFile> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    throw new RecordingError(
      code === 'EEXIST'
        ? `There is a file ${path} already. Name another, or move that away first.`
        : `The recording ${path} can't be written (${message}).`,
      { cause: error },
    );
  }
}

export function createFileWriter(file: OutFile, head: RecordingHead): FileWriter {
  const places: BlockPlace[] = [];
  let offset = 0;
  let waiting = 0;
  let failure: string | null = null;
  let isEnded = false;

  /** All of the bytes, or none: what was written in part is cut off again. */
  async function write(bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const { bytesWritten } = await file.write(bytes, done, bytes.length - done, offset + done);
      done += bytesWritten;
    }
    await file.datasync();
    offset += bytes.length;
  }

  async function writeBlock(kind: BlockKind, from: number, until: number, raw: Uint8Array): Promise<void> {
    const packed = new Uint8Array(await Bun.zstdCompress(raw, { level: 6 }));
    const header = {
      kind,
      from,
      until,
      stored: packed.length,
      raw: raw.length,
      checksum: checksumOf(packed),
    };
    const place = { kind, offset, from, until };
    await write(Buffer.concat([blockHeaderBytes(header), packed]));
    places.push(place);
  }

  async function fail(error: unknown): Promise<void> {
    failure ??= reasonOf(error);
    // Where even that fails, the reader leaves the torn block out.
    await file.truncate(offset).catch(() => undefined);
  }

  /** Does work after all that was given before, unless that failed. */
  let queue: Promise<void> = Promise.resolve();
  function then(work: () => Promise<void>): void {
    queue = queue.then(async () => {
      if (failure !== null) return;
      try {
        await work();
      } catch (error) {
        await fail(error);
      }
    });
  }

  then(() => write(startBytes(bytesOfJson(head))));

  return {
    add(kind, from, until, raw) {
      if (failure !== null || isEnded) return;
      waiting += raw.length;
      if (waiting > MAX_WAITING_BYTES) {
        failure = TOO_SLOW;
        return;
      }
      then(async () => {
        await writeBlock(kind, from, until, raw);
        waiting -= raw.length;
      });
    },
    failure: () => failure,
    size: () => offset,
    waiting: () => waiting,
    async end(until) {
      if (!isEnded) {
        isEnded = true;
        then(async () => {
          const indexAt = offset;
          const from = places[0]?.from ?? head.startedAt;
          await writeBlock('index', from, Math.max(from, until), writeIndex(places));
          await write(endBytes(indexAt));
        });
        queue = queue.then(() => file.close()).catch((error: unknown) => void (failure ??= reasonOf(error)));
      }
      await queue;
    },
  };
}
