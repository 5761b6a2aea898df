import { version } from '../package.json' with { type: 'json' };

declare const BELLBIRD_BUILD_COMMIT: string | undefined;

/** The running program: what /healthz and the administrator see. */
export type About = {
  pid: number;
  /** Epoch ms of the process's start. */
  startedAt: number;
  version: string;
  commit: string;
};

/**
 * Which program this is. The build writes the commit in; run from its sources it says `development`.
 */
export const build: Readonly<Pick<About, 'version' | 'commit'>> = {
  version,
  commit: typeof BELLBIRD_BUILD_COMMIT === 'string' ? BELLBIRD_BUILD_COMMIT : 'development',
};
