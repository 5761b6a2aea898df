import { parseJson } from '#lib/json.ts';
import { readCount, readMap, readRecord, readText } from '#lib/read.ts';
import { UpdateError } from '../shared/updateError.ts';

/** The names of a release's own files, beside its executables. */
export const RELEASE_FILES = {
  sums: 'SHA256SUMS',
  signature: 'SHA256SUMS.sig',
  about: 'release.json',
} as const;

/** What a release says of itself: `release.json`. */
export type ReleaseInfo = {
  version: string;
  commit: string;
  /** The oldest version that can be updated to this one at once; null when any can. */
  minimum: string | null;
  notes: string;
  /** The executables by name, with their size in bytes. */
  files: Record<string, number>;
};

const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[\w.]{1,40})?$/;
const COMMIT = /^[\w-]{1,80}$/;
const SUM_LINE = /^([0-9a-f]{64}) [ *]([\w.-]{1,100})$/;
const MAX_NOTES = 20_000;

/**
 * Whether the makers of this program signed these bytes.
 * @param publicKey Ed25519, in PEM
 * @param signature as the file holds it: base64
 */
export async function isSigned(bytes: Uint8Array, signature: string, publicKey: string): Promise<boolean> {
  // Loaded here: every start would read it for nothing.
  const { createPublicKey, verify } = await import('node:crypto');
  try {
    const key = createPublicKey(publicKey);
    return (
      key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(signature.trim(), 'base64'))
    );
  } catch {
    // Neither a key nor a signature that can't be read proves anything.
    return false;
  }
}

/** The sums of a file as `sha256sum` writes it, by name. Other lines are left out. */
export function readSums(text: string): Map<string, string> {
  const pairs = text.split('\n').flatMap((line) => {
    const [, sum, name] = SUM_LINE.exec(line.trimEnd()) ?? [];
    return sum === undefined || name === undefined ? [] : [[name, sum] as const];
  });
  return new Map(pairs);
}

export const sha256 = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

/** @throws UpdateError when it does not say what is needed; it was signed, so its maker made a mistake */
export function readReleaseInfo(bytes: Uint8Array): ReleaseInfo {
  const parsed = parseJson(new TextDecoder().decode(bytes));
  const record = readRecord(parsed.ok ? parsed.value : null);
  const version = readText(record.version) ?? '';
  const commit = readText(record.commit) ?? '';
  const minimum = readText(record.minimum);
  if (!VERSION.test(version) || !COMMIT.test(commit) || (minimum !== null && !VERSION.test(minimum))) {
    throw new UpdateError('The release does not say which version it is, so it can not be taken.');
  }
  return {
    version,
    commit,
    minimum,
    notes: (readText(record.notes) ?? '').slice(0, MAX_NOTES),
    files: readMap(record.files, readCount),
  };
}

/**
 * Refuses a release that is older than what runs, or too new for it.
 * @returns whether it is newer
 * @throws UpdateError
 */
export function isNewer({ version, minimum }: ReleaseInfo, running: string): boolean {
  const order = Bun.semver.order(version, running);
  if (order < 0) {
    throw new UpdateError(
      `The release is version ${version}, and ${running} runs. An update never goes back to an older version.`,
    );
  }
  if (order > 0 && minimum !== null && Bun.semver.order(running, minimum) < 0) {
    throw new UpdateError(
      `Version ${version} can't be reached from ${running} at once. Update to ${minimum} first.`,
    );
  }
  return order > 0;
}
