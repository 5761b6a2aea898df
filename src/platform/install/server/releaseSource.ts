import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { copyExecutable } from '../shared/swap.ts';
import type { Offer, UpdateSource } from './offer.ts';
import { MissingFile, type ReleaseFiles } from './releaseFiles.ts';
import { RELEASE_NEED } from '../shared/room.ts';
import { UpdateError } from '../shared/updateState.ts';
import { parseJson } from '#lib/json.ts';
import { readCount, readMap, readRecord, readText } from '#lib/read.ts';

export const RELEASE_FILES = {
  sums: 'SHA256SUMS',
  signature: 'SHA256SUMS.sig',
  about: 'release.json',
} as const;

export type ReleaseInfo = {
  version: string;
  commit: string;
  /** The oldest version that can be updated directly; null for any. */
  minimum: string | null;
  notes: string;
  files: Record<string, number>;
};

const VERSION = /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[\w.]{1,40})?$/;
const COMMIT = /^[\w-]{1,80}$/;
const SUM_LINE = /^([0-9a-f]{64}) [ *]([\w.-]{1,100})$/;
const MAX_NOTES = 20_000;

/**
 * Whether the release key signed these bytes.
 * @param publicKey Ed25519, in PEM
 * @param signature base64, as in the file
 */
async function isSigned(bytes: Uint8Array, signature: string, publicKey: string): Promise<boolean> {
  // Loaded here, because a start does not need it.
  const { createPublicKey, verify } = await import('node:crypto');
  try {
    const key = createPublicKey(publicKey);
    return (
      key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, Buffer.from(signature.trim(), 'base64'))
    );
  } catch {
    // An unreadable key or signature proves nothing.
    return false;
  }
}

/** The sums of a `sha256sum` file by name. Skips other lines. */
export function readSums(text: string): Map<string, string> {
  const pairs = text.split('\n').flatMap((line) => {
    const [, sum, name] = SUM_LINE.exec(line.trimEnd()) ?? [];
    return sum === undefined || name === undefined ? [] : [[name, sum] as const];
  });
  return new Map(pairs);
}

export const sha256 = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex');

/** @throws UpdateError if something is missing, which is its maker's mistake because it was signed */
export function readReleaseInfo(bytes: Uint8Array): ReleaseInfo {
  const parsed = parseJson(new TextDecoder().decode(bytes));
  const record = readRecord(parsed.ok ? parsed.value : null);
  const version = readText(record.version) ?? '';
  const commit = readText(record.commit) ?? '';
  const minimum = readText(record.minimum);
  if (!VERSION.test(version) || !COMMIT.test(commit) || (minimum !== null && !VERSION.test(minimum))) {
    throw new UpdateError('The release has no version number, so it cannot be installed.');
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
 * Refuses a release that is older than this program, or too new for it.
 * @returns whether it is newer
 * @throws UpdateError
 */
function isNewer({ version, minimum }: ReleaseInfo, running: string): boolean {
  const order = Bun.semver.order(version, running);
  if (order < 0) {
    throw new UpdateError(
      `The release is version ${version}, older than the running ${running}. An update never installs an older version.`,
    );
  }
  if (order > 0 && minimum !== null && Bun.semver.order(running, minimum) < 0) {
    throw new UpdateError(
      `Version ${running} cannot be updated to ${version} directly. Update to ${minimum} first.`,
    );
  }
  return order > 0;
}

/** The machine field of the ELF header by `process.arch`, for each released processor. */
const ELF_MACHINES: Readonly<Record<string, number>> = { x64: 0x3e, arm64: 0xb7 };

/**
 * Why a file is not a Linux program for a processor.
 * @param head at least its first 20 bytes
 * @param arch as in `process.arch`
 * @returns the end of a sentence that begins with the file's name; null if it is one
 */
export function elfProblem(head: Uint8Array, arch: string): string | null {
  const magic = new TextDecoder('latin1').decode(head.subarray(0, 4));
  if (magic !== '\x7fELF') return 'is not a Linux program';
  // 64 bits, little-endian.
  if (head[4] !== 2 || head[5] !== 1) return 'is not a 64-bit Linux program';
  const machine = (head[18] ?? 0) | ((head[19] ?? 0) << 8);
  return machine === ELF_MACHINES[arch]
    ? null
    : `is for another processor (machine 0x${machine.toString(16)}) than this one (${arch})`;
}

const KB = 1024;
const MAX_EXECUTABLE = 400 * KB * KB;

export type Machine = { arch: string; hasAvx2: boolean };

/** Older x64 processors lack the instructions of the usual build. */
export function thisMachine(): Machine {
  if (process.arch !== 'x64') return { arch: process.arch, hasAvx2: false };
  try {
    return { arch: 'x64', hasAvx2: /^flags\s.{0,8000}\bavx2\b/m.test(readFileSync('/proc/cpuinfo', 'utf8')) };
  } catch {
    // If unknown, use the build that runs on all processors.
    return { arch: 'x64', hasAvx2: false };
  }
}

export const fileFor = ({ arch, hasAvx2 }: Machine): string =>
  `bellbird-linux-${arch}${arch === 'x64' && !hasAvx2 ? '-baseline' : ''}`;

type Verified = { info: ReleaseInfo; sums: Map<string, string> };

/** @throws UpdateError if there is none, as in a release without a key */
async function signatureOf(files: ReleaseFiles): Promise<string> {
  try {
    return new TextDecoder().decode(await files.read(RELEASE_FILES.signature, KB));
  } catch (error) {
    if (!(error instanceof MissingFile)) throw error;
    throw new UpdateError(
      `The release at ${files.label} is unsigned: it has no ${RELEASE_FILES.signature}. Nothing was installed.`,
    );
  }
}

/** @throws UpdateError if a signature is wrong */
async function verified(files: ReleaseFiles, releaseKey: string): Promise<Verified> {
  // The sums first: if they are missing too, there is no release.
  const bytes = await files.read(RELEASE_FILES.sums, 64 * KB);
  const signature = await signatureOf(files);
  if (!(await isSigned(bytes, signature, releaseKey))) {
    throw new UpdateError(
      `The signature of the release at ${files.label} is not from the publisher of this program. Nothing was installed.`,
    );
  }
  const sums = readSums(new TextDecoder().decode(bytes));
  const about = await files.read(RELEASE_FILES.about, 256 * KB);
  if (sums.get(RELEASE_FILES.about) !== sha256(about)) throw damaged(RELEASE_FILES.about);
  return { info: readReleaseInfo(about), sums };
}

const damaged = (name: string): UpdateError =>
  new UpdateError(`The release's file ${name} does not match its signed SHA-256 sum.`);

function headOf(path: string): Uint8Array {
  const handle = openSync(path, 'r');
  try {
    const head = new Uint8Array(64);
    return head.subarray(0, readSync(handle, head));
  } finally {
    closeSync(handle);
  }
}

/** Fetches this machine's executable. @throws UpdateError if it is not the offered and signed one */
async function fetchExecutable(
  files: ReleaseFiles,
  releaseKey: string,
  offer: Offer,
  folder: string,
): Promise<string> {
  const machine = thisMachine();
  const name = fileFor(machine);
  const path = join(folder, name);
  // Fetched again, because the release may have been replaced since.
  const { info, sums } = await verified(files, releaseKey);
  if (info.version !== offer.to.version)
    throw new UpdateError('The release changed during the download. Try again.');
  const size = info.files[name];
  const sum = sums.get(name);
  if (size === undefined || sum === undefined) {
    throw new UpdateError(`Version ${info.version} has no executable for this machine (${name}).`);
  }
  const hash = new Bun.CryptoHasher('sha256');
  await files.save(name, path, Math.min(size, MAX_EXECUTABLE), (chunk) => hash.update(chunk));
  if (hash.digest('hex') !== sum) throw damaged(name);
  const problem = elfProblem(headOf(path), machine.arch);
  if (problem !== null) throw new UpdateError(`The release's file ${name} ${problem}.`);
  return path;
}

/**
 * New versions from signed releases. Nothing of a release is used before its signature is verified.
 * @param releaseKey Ed25519, in PEM
 */
export const createReleaseSource = (
  files: ReleaseFiles,
  running: string,
  releaseKey: string,
): UpdateSource => ({
  kind: 'release',
  need: RELEASE_NEED,
  findOffer: async () => {
    const { info } = await verified(files, releaseKey);
    const { version, commit, notes } = info;
    const isNew = isNewer(info, running);
    return { isNew, to: { version, commit }, branch: null, commits: [], count: 0, notes };
  },
  make: (offer, { folder, target, step }) =>
    step('Fetch the release', async () =>
      copyExecutable(await fetchExecutable(files, releaseKey, offer, folder), target),
    ),
  checkout: async () => null,
});
