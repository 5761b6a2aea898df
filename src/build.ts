import { version } from '../package.json' with { type: 'json' };

declare const BELLBIRD_BUILD_COMMIT: string | undefined;

/**
 * Which program this is. The build writes the commit in; run from its sources it says `development`.
 */
export const build: { readonly version: string; readonly commit: string } = {
  version,
  commit: typeof BELLBIRD_BUILD_COMMIT === 'string' ? BELLBIRD_BUILD_COMMIT : 'development',
};
