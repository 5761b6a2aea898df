import { type FileHandle, open } from 'node:fs/promises';
import { errorCode, isNoRoom } from '#lib/errors.ts';
import { type BlockKind, blockHeaderBytes, checksumOf, startBytes } from './blocks.ts';
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

/** Opens a new file for a recording. @throws RecordingError (a sentence) when it is there already or can't be made */
export async function createRecordingFile(path: string): Promise<OutFile> {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const code = errorCode(error);
    const message = error instanceof Error ? error.message : String(error);
    throw new RecordingError(
      code === 'EEXIST'
        ? `There is a file ${path} already. Name another, or move that away first.`
        : `The recording ${path} can't be written (${message}).`,
      { cause: error },
    );
  }
}

/** Writes the blocks of one recording, each after those before it. */
export class FileWriter {
  private offset = 0;
  private waitingBytes = 0;
  private fault: string | null = null;
  private isEnded = false;
  private queue: Promise<void> = Promise.resolve();

  constructor(
    private readonly file: OutFile,
    private readonly head: RecordingHead,
  ) {
    this.enqueue(() => this.write(startBytes(Buffer.from(JSON.stringify(head)))));
  }

  /** Takes a block, to be compressed and written after those before it. Nothing is taken after a failure. */
  add(kind: Exclude<BlockKind, 'end'>, from: number, until: number, raw: Uint8Array): void {
    if (this.fault !== null || this.isEnded) return;
    this.waitingBytes += raw.length;
    if (this.waitingBytes > MAX_WAITING_BYTES) {
      this.fault = TOO_SLOW;
      return;
    }
    this.enqueue(async () => {
      await this.writeBlock(kind, from, until, raw);
      this.waitingBytes -= raw.length;
    });
  }

  /** Why nothing more is written, a sentence; null while all is well. */
  failure(): string | null {
    return this.fault;
  }

  /** Bytes on the disk. */
  size(): number {
    return this.offset;
  }

  /** Bytes that wait for it, before they are compressed. */
  waiting(): number {
    return this.waitingBytes;
  }

  /** Writes what waits and the end. Never rejects: see `failure`. @param until the last moment, epoch ms */
  async end(until: number): Promise<void> {
    if (!this.isEnded) {
      this.isEnded = true;
      this.enqueue(() => this.writeBlock('end', until, until, new Uint8Array()));
      this.queue = this.queue
        .then(() => this.file.close())
        .catch((error: unknown) => void (this.fault ??= reasonOf(error)));
    }
    await this.queue;
  }

  /** Does work after all that was given before, unless that failed. */
  private enqueue(work: () => Promise<void>): void {
    this.queue = this.queue.then(async () => {
      if (this.fault !== null) return;
      try {
        await work();
      } catch (error) {
        this.fault ??= reasonOf(error);
        // Where even that fails, the reader leaves the torn block out.
        await this.file.truncate(this.offset).catch(() => undefined);
      }
    });
  }

  /** All of the bytes, or none: what was written in part is cut off again. */
  private async write(bytes: Uint8Array): Promise<void> {
    let done = 0;
    while (done < bytes.length) {
      const rest = bytes.length - done;
      done += (await this.file.write(bytes, done, rest, this.offset + done)).bytesWritten;
    }
    await this.file.datasync();
    this.offset += bytes.length;
  }

  private async writeBlock(kind: BlockKind, from: number, until: number, raw: Uint8Array): Promise<void> {
    const packed = new Uint8Array(await Bun.zstdCompress(raw, { level: 6 }));
    const sizes = { stored: packed.length, raw: raw.length };
    const header = { kind, from, until, ...sizes, checksum: checksumOf(packed) };
    await this.write(Buffer.concat([blockHeaderBytes(header), packed]));
  }
}
