import { version } from '../../../package.json' with { type: 'json' };

declare const BELLBIRD_BUILD_COMMIT: string | undefined;
declare const BELLBIRD_BUILD_BRANCH: string | undefined;
declare const BELLBIRD_RELEASE_KEY: string | undefined;

export type About = {
  pid: number;
  startedAt: number;
  version: string;
  commit: string;
  /** The branch of the build; absent for a release and if unknown. */
  branch?: string | null;
  runtime?: string;
};

/** The build inserts commit and branch. From the sources it is `development`. */
export const build: Readonly<Pick<About, 'version' | 'commit' | 'branch' | 'runtime'>> = {
  version,
  commit: typeof BELLBIRD_BUILD_COMMIT === 'string' ? BELLBIRD_BUILD_COMMIT : 'development',
  branch: typeof BELLBIRD_BUILD_BRANCH === 'string' ? BELLBIRD_BUILD_BRANCH : null,
  runtime: `Bun ${Bun.version}, ${process.platform} ${process.arch}`,
};

/** The public key of releases, in PEM: `release-key.pub` at build time. */
export const releaseKey: string | null =
  typeof BELLBIRD_RELEASE_KEY === 'string' && BELLBIRD_RELEASE_KEY !== '' ? BELLBIRD_RELEASE_KEY : null;
