import { encrypted } from './encryption.ts';
import { type BackupTarget, type Lock, TargetError, type TargetFile, watched } from './target.ts';

/** What is sent: opened once, and so many bytes of it. */
export type Source = { bytes: number; open(): ReadableStream<Uint8Array> };

type Sending = {
  target: BackupTarget;
  name: string;
  source: Source;
  /** Null leaves it as it is. */
  lock: Lock | null;
  /** From 0 to 1, with each piece. */
  onProgress(share: number): void;
};

/** Reads a file of the target, no further than it should go. @returns its SHA-256 */
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
 * Sends a file to a target in bounded memory, encrypted where there is a lock, and reads it again there whole. One that
 * is not as it was sent is removed.
 *
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
  const looked = watched(content, (chunk) => {
    sum.update(chunk);
    sent += chunk.byteLength;
    note(chunk.byteLength);
  });
  await target.write(name, looked, bytes);
  const isWhole = sent === bytes && (await sumAt(target, { name, bytes }, note)) === sum.digest('hex');
  if (isWhole) return bytes;
  const isRemoved = await target.remove(name).then(
    () => true,
    () => false,
  );
  throw new TargetError(
    `What arrived at the target is not what was sent${isRemoved ? ', so it was removed there' : `. It could not be removed: do not restore ${name}`}.`,
  );
}
