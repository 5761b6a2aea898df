import { version } from '../../../package.json' with { type: 'json' };

declare const BELLBIRD_BUILD_COMMIT: string | undefined;
declare const BELLBIRD_BUILD_BRANCH: string | undefined;
declare const BELLBIRD_RELEASE_KEY: string | undefined;

/** The running program: what /healthz and the administrator see. */
export type About = {
  pid: number;
  /** Epoch ms of the process's start. */
  startedAt: number;
  version: string;
  commit: string;
  /** That it was built from; absent in a released file, and where it is not known. */
  branch?: string | null;
  /** What it runs on, in words: runtime, system and processor. */
  runtime?: string;
};

/**
 * Which program this is. The build writes commit and branch in; run from its sources it says `development`.
 */
export const build: Readonly<Pick<About, 'version' | 'commit' | 'branch' | 'runtime'>> = {
  version,
  commit: typeof BELLBIRD_BUILD_COMMIT === 'string' ? BELLBIRD_BUILD_COMMIT : 'development',
  branch: typeof BELLBIRD_BUILD_BRANCH === 'string' ? BELLBIRD_BUILD_BRANCH : null,
  runtime: `Bun ${Bun.version}, ${process.platform} ${process.arch}`,
};

/** The public key that releases are signed with, in PEM: `release-key.pub` as it was when this was built. */
export const releaseKey: string | null =
  typeof BELLBIRD_RELEASE_KEY === 'string' && BELLBIRD_RELEASE_KEY !== '' ? BELLBIRD_RELEASE_KEY : null;
