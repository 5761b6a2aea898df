import { Decrypter, Encrypter } from 'age-encryption';
import { type Lock, TargetError } from './target.ts';

/**
 * 2^16 rounds of scrypt take 64 MB. The library's default of 2^18 takes 256 MB, a quarter of a small Raspberry Pi.
 */
const WORK_FACTOR = 16;
/** The `age` tool writes 2^18. A file that demands more is refused. */
const MAX_WORK_FACTOR = 18;

const MAGIC = 'age-encryption.org/v1\n';
/** A header has some hundred bytes for each key that opens the file. */
const MAX_HEADER_BYTES = 16 * 1024;

export type Encrypted = { content: ReadableStream<Uint8Array>; bytes: number };

/** Encrypts as the `age` tool does. @param bytes the length of `plain` @returns the stream and its length */
export async function encrypted(
  plain: ReadableStream<Uint8Array>,
  bytes: number,
  lock: Lock,
): Promise<Encrypted> {
  const encrypter = new Encrypter();
  if (lock.kind === 'passphrase') {
    encrypter.setPassphrase(lock.passphrase);
    encrypter.setScryptWorkFactor(WORK_FACTOR);
  } else encrypter.addRecipient(lock.recipient);
  const content = await encrypter.encrypt(plain);
  return { content, bytes: content.size(bytes) };
}

export const isEncrypted = (start: Uint8Array): boolean =>
  Buffer.from(start.subarray(0, MAGIC.length)).toString('latin1') === MAGIC;

/** @throws TargetError if opening the file would take too much memory */
function needBearable(start: Uint8Array): void {
  const header = Buffer.from(start.subarray(0, MAX_HEADER_BYTES)).toString('latin1');
  const end = header.indexOf('\n--- ');
  if (end < 0) throw new TargetError('The header of the encrypted file is damaged.');
  const rounds = /\n-> scrypt \S{1,100} (\d{1,9})\n/.exec(header.slice(0, end + 1))?.[1];
  if (rounds !== undefined && Number(rounds) > MAX_WORK_FACTOR)
    throw new TargetError('The file needs more memory to open than any Bellbird backup.');
}

const isIdentity = (secret: string): boolean => /^AGE-SECRET-KEY-/i.test(secret);

function decrypterFor(secret: string): Decrypter {
  const decrypter = new Decrypter();
  if (isIdentity(secret)) decrypter.addIdentity(secret.toUpperCase());
  else decrypter.addPassphrase(secret);
  return decrypter;
}

/**
 * @param start the first 16 KB of the file
 * @param secret the passphrase, or the age identity (`AGE-SECRET-KEY-…`)
 * @returns the plain content. It fails with the library's error if the file was changed or cut short
 * @throws TargetError (a sentence) if the secret does not open the file
 */
export async function decrypted(
  content: ReadableStream<Uint8Array>,
  start: Uint8Array,
  secret: string,
): Promise<ReadableStream<Uint8Array>> {
  needBearable(start);
  try {
    return await decrypterFor(secret.trim()).decrypt(content);
  } catch (cause) {
    throw new TargetError(
      'The passphrase or key does not open this backup. Enter the one that was set when it was made.',
      { cause },
    );
  }
}
