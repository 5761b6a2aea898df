/** More than the longest error with its source and stack. */
const MAX_FAILURE_LINES = 60;

/** The last lines of what was printed, at most this many. */
export const lastOf = (lines: readonly string[]): string => lines.slice(-MAX_FAILURE_LINES).join('\n').trim();

/** How an error begins that belongs to no test, as when a file cannot be loaded. */
const BETWEEN_TESTS = '# Unhandled error between tests';

/**
 * What a `bun test` run printed of each failed test, or of an error between tests: the lines since the test before it, at
 * most this many.
 */
export function failuresIn(text: string): string[] {
  const failures: string[] = [];
  let since: string[] = [];
  /** The list at the end of a run only repeats the names. */
  let isInList = false;
  for (const line of Bun.stripANSI(text).split('\n')) {
    if (/^ *\d+ tests? failed:/.test(line)) isInList = true;
    const isCount = /^ *\d+ pass$/.test(line);
    if (isCount) isInList = false;
    if (isInList) continue;
    if (!isCount) since.push(line);
    if (isCount || /^\((pass|skip|todo|fail)\) /.test(line)) {
      if (line.startsWith('(fail)') || since.includes(BETWEEN_TESTS)) failures.push(lastOf(since));
      since = [];
    }
  }
  return failures;
}

/** How many lines of an error say enough of it. */
const MAX_REASON_LINES = 6;

/** `error:` of Bun, and names of errors, as `TimeoutError:`. */
const ERROR = /^(error|\w{0,60}Error): /;

/** What Bun prints of the values: the rest of a long comparison is alike on both sides. */
const DIFFERENCE = /^(Expected|Received|[-+])/;

/** A place in a test file, among those in what it calls. */
const TEST_PLACE = /^ {1,12}at .{1,300}\.(test|e2e)\.tsx?:\d/;

/**
 * A failure in short: its test's name, and below it its error with what was expected and received and, last, the place
 * in the test, at most six lines.
 *
 * @param failure one of `failuresIn`
 */
export function reasonIn(failure: string): string[] {
  const name = /^\(fail\) .{1,300}$/m.exec(failure)?.[0];
  const lines = failure.split('\n').filter((line) => line.trim() !== '');
  const from = lines.findIndex((line) => ERROR.test(line));
  const error = from < 0 ? [] : lines.slice(from).filter((line) => line !== name);
  const place = error.find((line) => TEST_PLACE.test(line));
  const room = MAX_REASON_LINES - (place === undefined ? 0 : 1);
  const end = error.findIndex((line) => /^ {1,12}at /.test(line));
  const said = end < 0 ? error : error.slice(0, end);
  const told = said.length <= room ? said : said.filter((line, at) => at === 0 || DIFFERENCE.test(line));
  const shown = [...(told.length > 1 ? told : said).slice(0, room), ...(place === undefined ? [] : [place])];
  return [...(name === undefined ? [] : [name]), ...shown.map((line) => `  ${line.trim().slice(0, 300)}`)];
}
