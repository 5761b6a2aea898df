import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramVersion } from '../shared/updateState.ts';
import { copyExecutable } from '../shared/swap.ts';
import type { Offer, UpdateSource } from './offer.ts';
import { MissingFile, type ReleaseFiles } from './releaseFiles.ts';
import {
  isNewer,
  isSigned,
  RELEASE_FILES,
  type ReleaseInfo,
  readReleaseInfo,
  readSums,
  sha256,
} from './releaseManifest.ts';
import { RELEASE_NEED } from '../shared/room.ts';
import { UpdateError } from '../shared/updateError.ts';

/** The ELF header's machine field of each processor that there are releases for, by Node's name of it. */
const ELF_MACHINES: Readonly<Record<string, number>> = { x64: 0x3e, arm64: 0xb7 };

/**
 * Why a file is no Linux program for a processor.
 * @param head its first 20 bytes or more
 * @param arch as `process.arch` names it
 * @returns the end of a sentence that begins with the file's name; null when it is one
 */
export function elfProblem(head: Uint8Array, arch: string): string | null {
  const magic = new TextDecoder('latin1').decode(head.subarray(0, 4));
  if (magic !== '\x7fELF') return 'is not a Linux program';
  // 64 bits, least significant byte first, as all of them are.
  if (head[4] !== 2 || head[5] !== 1) return 'is not a 64-bit Linux program';
  const machine = (head[18] ?? 0) | ((head[19] ?? 0) << 8);
  return machine === ELF_MACHINES[arch]
    ? null
    : `is a program for another processor (machine 0x${machine.toString(16)}), and this one is ${arch}`;
}

const KB = 1024;
const MAX_EXECUTABLE = 400 * KB * KB;

/** The machine that the executable is for. */
export type Machine = { arch: string; hasAvx2: boolean };

/** This machine. Older x64 processors lack what the usual build is compiled for. */
export function thisMachine(): Machine {
  if (process.arch !== 'x64') return { arch: process.arch, hasAvx2: false };
  try {
    return { arch: 'x64', hasAvx2: /^flags\s.{0,8000}\bavx2\b/m.test(readFileSync('/proc/cpuinfo', 'utf8')) };
  } catch {
    // Not known: what runs everywhere.
    return { arch: 'x64', hasAvx2: false };
  }
}

/** The release's name for the executable of a machine. */
export const fileFor = ({ arch, hasAvx2 }: Machine): string =>
  `bellbird-linux-${arch}${arch === 'x64' && !hasAvx2 ? '-baseline' : ''}`;

/** What a release holds, after its signature was verified. */
type Verified = { info: ReleaseInfo; sums: Map<string, string> };

/** @throws UpdateError where there is none, as in a release that was made without a key */
async function signatureOf(files: ReleaseFiles): Promise<string> {
  try {
    return new TextDecoder().decode(await files.read(RELEASE_FILES.signature, KB));
  } catch (error) {
    if (!(error instanceof MissingFile)) throw error;
    throw new UpdateError(
      `The release at ${files.label} is unsigned: it has no ${RELEASE_FILES.signature}. Nothing of it was used.`,
    );
  }
}

/** @throws UpdateError when anything of it is not what its makers signed */
async function verified(files: ReleaseFiles, releaseKey: string): Promise<Verified> {
  // The sums first: where those are missing too, there is no release.
  const bytes = await files.read(RELEASE_FILES.sums, 64 * KB);
  const signature = await signatureOf(files);
  if (!(await isSigned(bytes, signature, releaseKey))) {
    throw new UpdateError(
      `The signature of the release at ${files.label} is not that of this program's makers. Nothing of it was used.`,
    );
  }
  const sums = readSums(new TextDecoder().decode(bytes));
  const about = await files.read(RELEASE_FILES.about, 256 * KB);
  if (sums.get(RELEASE_FILES.about) !== sha256(about)) throw damaged(RELEASE_FILES.about);
  return { info: readReleaseInfo(about), sums };
}

const damaged = (name: string): UpdateError =>
  new UpdateError(`The release's file ${name} is not the one that was signed: its SHA-256 sum differs.`);

function headOf(path: string): Uint8Array {
  const handle = openSync(path, 'r');
  try {
    const head = new Uint8Array(64);
    return head.subarray(0, readSync(handle, head));
  } finally {
    closeSync(handle);
  }
}

type ReleaseNeeds = {
  files: ReleaseFiles;
  machine: Machine;
  /** The program that runs. */
  running: ProgramVersion;
  /** Ed25519, in PEM. */
  releaseKey: string;
};

/** Fetches this machine's executable of a release. @throws UpdateError when it is not the one that was offered and signed */
async function fetchExecutable(
  { files, machine, releaseKey }: ReleaseNeeds,
  offer: Offer,
  folder: string,
): Promise<string> {
  const name = fileFor(machine);
  const path = join(folder, name);
  // Anew: another release may have been put there since it was looked at.
  const { info, sums } = await verified(files, releaseKey);
  if (info.version !== offer.to.version)
    throw new UpdateError('Another release was put there meanwhile. Try again.');
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

/** New versions out of signed releases. Nothing that a release says is used before its signature was verified. */
export const createReleaseSource = (needs: ReleaseNeeds): UpdateSource => ({
  kind: 'release',
  need: RELEASE_NEED,
  look: async () => {
    const { info } = await verified(needs.files, needs.releaseKey);
    const { version, commit, notes } = info;
    const isNew = isNewer(info, needs.running.version);
    return { isNew, to: { version, commit }, branch: null, commits: [], count: 0, notes };
  },
  make: (offer, { folder, target, step }) =>
    step('Fetch the release', async () =>
      copyExecutable(await fetchExecutable(needs, offer, folder), target),
    ),
  checkout: async () => null,
});
