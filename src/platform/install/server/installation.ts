import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Program } from '../shared/processControl.ts';

export type Installation =
  | { kind: 'checkout'; folder: string }
  | { kind: 'release'; releases: string; releaseKey: string }
  | { kind: 'none'; reason: string };

const FROM_SOURCES =
  'This server runs from its sources, with Bun. Update them with git and restart; only an installed ' +
  'executable can be updated here.';

const NOWHERE =
  'This executable is not in a git checkout, so it has no source of new versions. ' +
  'Set BELLBIRD_RELEASES to the folder or address of signed releases.';

const UNSIGNED =
  'This executable was built without the key that verifies releases, so it cannot trust any release. ' +
  'Replace it once by hand with a released executable.';

/** A checkout has the build script. Its `.git` is a file in a worktree. */
const isCheckout = (folder: string): boolean =>
  existsSync(join(folder, 'scripts', 'build.ts')) && existsSync(join(folder, '.git'));

/** Determines the installation by the executable's path. @param releases ignored by a checkout */
export function findInstallation(
  { executable, isStandalone, releaseKey }: Program,
  releases: string | null,
): Installation {
  if (!isStandalone) return { kind: 'none', reason: FROM_SOURCES };
  const folder = dirname(dirname(executable));
  if (basename(dirname(executable)) === 'dist' && isCheckout(folder)) return { kind: 'checkout', folder };
  if (releases === null) return { kind: 'none', reason: NOWHERE };
  return releaseKey === null ? { kind: 'none', reason: UNSIGNED } : { kind: 'release', releases, releaseKey };
}
