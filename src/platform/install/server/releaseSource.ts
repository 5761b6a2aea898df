import { closeSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramVersion } from '../shared/updateState.ts';
import { copyExecutable } from '../shared/swap.ts';
import { elfProblem } from './elf.ts';
import type { Offer, UpdateSource, Workplace } from './offer.ts';
import type { ReleaseFiles } from './releaseFiles.ts';
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

const KB = 1024;
const MAX_EXECUTABLE = 400 * KB * KB;

const NO_KEY =
  'This executable was built without the key that releases are signed with, so it can trust none. ' +
  'Put a released executable in its place by hand, once.';

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

/** @throws UpdateError when anything of it is not what its makers signed */
async function verified(files: ReleaseFiles, releaseKey: string | null): Promise<Verified> {
  if (releaseKey === null) throw new UpdateError(NO_KEY);
  const signature = new TextDecoder().decode(await files.read(RELEASE_FILES.signature, KB));
  const bytes = await files.read(RELEASE_FILES.sums, 64 * KB);
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

/**
 * New versions out of signed releases. Nothing that a release says is used before its signature was verified.
 * @param running the program that runs
 */
export function createReleaseSource({
  files,
  machine,
  running,
  releaseKey,
}: {
  files: ReleaseFiles;
  machine: Machine;
  running: ProgramVersion;
  releaseKey: string | null;
}): UpdateSource {
  const look = async (): Promise<Offer> => {
    const { info } = await verified(files, releaseKey);
    const { version, commit, notes } = info;
    const isNew = isNewer(info, running.version);
    return { isNew, to: { version, commit }, branch: null, commits: [], count: 0, notes };
  };

  const make = async (offer: Offer, { folder, target, step }: Workplace): Promise<void> => {
    const name = fileFor(machine);
    const path = join(folder, name);
    await step('Fetch the release', async () => {
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
      copyExecutable(path, target);
    });
  };

  return { kind: 'release', need: RELEASE_NEED, look, make, checkout: async () => null };
}
