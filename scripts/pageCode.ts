import { dirname, sep } from 'node:path';

/** Where the pages' code lies: the frame in `web`, and the `web` folder of each subject and of each section of administration. */
const PAGE_FOLDERS = '(?:web/|src/.*?/web/)';
const PAGE_CODE = new RegExp(`^${PAGE_FOLDERS}`);
/** What pages and server both run: basics, texts, and of each subject its contract and its rules. */
const SHARED_CODE = /^src\/(?:lib\/|texts\/|.*?\/(?:rules|answers)\/|(?:subjects|admin)\/\w+\/contract\.ts$)/;

/** Patterns of the pages' files, for `Bun.Glob`, relative to the project; with what their names end in, as `{ts,tsx}`. */
export const pageGlobs = (endings: string): string[] => [`web/**/*.${endings}`, `src/**/web/**/*.${endings}`];

/**
 * The pages' files as a bundler's plugin asks for them, by their absolute paths.
 *
 * @param endings a regular expression, as `tsx?`
 */
export const pageFilter = (endings: string): RegExp =>
  new RegExp(`^${RegExp.escape(dirname(import.meta.dir) + sep)}${PAGE_FOLDERS}.*\\.${endings}$`);

/** @param path relative to the project, with `/` */
export const isPageCode = (path: string): boolean => PAGE_CODE.test(path);

/** @param path relative to the project, with `/` */
export const isSharedCode = (path: string): boolean => SHARED_CODE.test(path);
