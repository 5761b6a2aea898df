import { dirname, sep } from 'node:path';

/** The pages' code: the frame in `web`, and the `web` folder of each subject and each section of administration. */
const PAGE_FOLDERS = '(?:web/|src/.*?/web/)';
const PAGE_CODE = new RegExp(`^${PAGE_FOLDERS}`);
/** Paths of code for both pages and server: basics, texts, and each subject's contract and rules. */
const SHARED_CODE = /^src\/(?:lib\/|texts\/|.*?\/(?:rules|answers)\/|(?:subjects|admin)\/\w+\/contract\.ts$)/;

/** Patterns for `Bun.Glob`, relative to the project. @param endings such as `{ts,tsx}` */
export const pageGlobs = (endings: string): string[] => [`web/**/*.${endings}`, `src/**/web/**/*.${endings}`];

/**
 * Matches the pages' files by absolute path, for a bundler's plugin.
 * @param endings a regular expression, such as `tsx?`
 */
export const pageFilter = (endings: string): RegExp =>
  new RegExp(`^${RegExp.escape(dirname(import.meta.dir) + sep)}${PAGE_FOLDERS}.*\\.${endings}$`);

export const isPageCode = (path: string): boolean => PAGE_CODE.test(path);

export const isSharedCode = (path: string): boolean => SHARED_CODE.test(path);
