import { closeSync, fsyncSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { isNoRoom } from '#lib/errors.ts';
import { freeBytes, writeAll } from '#lib/files.ts';
import { decrypted, encrypted, isEncrypted } from './encryption.ts';
import { type BackupTarget, type Lock, TargetError, type TargetFile, watched } from './target.ts';

export type Source = { bytes: number; open(): ReadableStream<Uint8Array> };

type Sending = {
  target: BackupTarget;
  name: string;
  source: Source;
  /** Null sends the file unencrypted. */
  lock: Lock | null;
  onProgress(share: number): void;
};

async function sumAt(
  target: BackupTarget,
  { name, bytes }: TargetFile,
  onBytes: (count: number) => void,
): Promise<string> {
  const sum = new Bun.CryptoHasher('sha256');
  let read = 0;
  for await (const chunk of await target.read(name)) {
    sum.update(chunk);
    onBytes(chunk.byteLength);
    read += chunk.byteLength;
    if (read > bytes) break;
  }
  return sum.digest('hex');
}

/**
 * Sends a file in bounded memory, encrypted if there is a lock, and reads it back. Removes a file that differs.
 * @returns its bytes at the target
 * @throws TargetError (a sentence)
 */
export async function send({ target, name, source, lock, onProgress }: Sending): Promise<number> {
  const { content, bytes } = lock
    ? await encrypted(source.open(), source.bytes, lock)
    : { content: source.open(), bytes: source.bytes };
  const sum = new Bun.CryptoHasher('sha256');
  let moved = 0;
  const note = (count: number): void => {
    moved += count;
    onProgress(Math.min(1, moved / (2 * bytes)));
  };
  let sent = 0;
  const watchedContent = watched(content, (chunk) => {
    sum.update(chunk);
    sent += chunk.byteLength;
    note(chunk.byteLength);
  });
  await target.write(name, watchedContent, bytes);
  const isWhole = sent === bytes && (await sumAt(target, { name, bytes }, note)) === sum.digest('hex');
  if (isWhole) return bytes;
  const isRemoved = await target.remove(name).then(
    () => true,
    () => false,
  );
  throw new TargetError(
    `The file at the target differs from the file that was sent${isRemoved ? ', so it was removed there' : `. It could not be removed: do not restore ${name}`}.`,
  );
}

const SPARE_BYTES = 20_000_000;
const START_BYTES = 16 * 1024;

async function opened(stream: ReadableStream<Uint8Array>) {
  const reader = stream.getReader();
  const held: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < START_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    held.push(value);
    bytes += value.byteLength;
  }
  const content = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = held.shift();
        if (next) return controller.enqueue(next);
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  return { content, start: Buffer.concat(held).subarray(0, START_BYTES) };
}

export async function isEncryptedFile(path: string): Promise<boolean> {
  return isEncrypted(await Bun.file(path).slice(0, START_BYTES).bytes());
}

function limited(stream: ReadableStream<Uint8Array>, bytes: number): ReadableStream<Uint8Array> {
  let read = 0;
  return watched(stream, (chunk) => {
    read += chunk.byteLength;
    if (read > bytes) throw new TargetError('The file is larger than its backup. Choose another one.');
  });
}

const DAMAGED = 'The encrypted backup is damaged or cut short. Restore another one.';
const NEEDS_SECRET = 'This backup is encrypted. Enter its passphrase or key.';

async function writeOut(content: ReadableStream<Uint8Array>, path: string, onBytes: (count: number) => void) {
  const handle = openSync(path, 'wx', 0o600);
  try {
    for await (const chunk of content) {
      writeAll(handle, chunk);
      onBytes(chunk.byteLength);
    }
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function inWords(error: unknown, isOpened: boolean): unknown {
  if (error instanceof TargetError) return error;
  if (isNoRoom(error))
    return new TargetError('There is not enough disk space for the backup. Free some space and try again.');
  return isOpened ? new TargetError(DAMAGED, { cause: error }) : error;
}

type Fetching = {
  content: ReadableStream<Uint8Array>;
  bytes: number;
  secret: string | null;
  /** The file to write. An existing one is replaced. */
  path: string;
  onProgress(share: number): void;
};

/**
 * Writes a backup into a file, decrypted if necessary. Checks for room first, and removes the file if it fails.
 * @throws TargetError (a sentence)
 */
export async function fetchInto({ content, bytes, secret, path, onProgress }: Fetching): Promise<void> {
  const free = freeBytes(dirname(path));
  if (free !== null && free < bytes + SPARE_BYTES) {
    await content.cancel();
    throw new TargetError('There is not enough disk space for the backup. Free some space and try again.');
  }
  rmSync(path, { force: true });
  let isLocked = false;
  let moved = 0;
  try {
    const { content: whole, start } = await opened(limited(content, bytes));
    isLocked = isEncrypted(start);
    if (isLocked && (secret === null || secret.trim() === '')) throw new TargetError(NEEDS_SECRET);
    const plain = isLocked ? await decrypted(whole, start, secret ?? '') : whole;
    await writeOut(plain, path, (count) => {
      moved += count;
      onProgress(Math.min(1, moved / bytes));
    });
    if (statSync(path).size === 0) throw new TargetError('The backup is empty.');
  } catch (error) {
    rmSync(path, { force: true });
    throw inWords(error, isLocked);
  }
}
