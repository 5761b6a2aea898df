const MAX_FAILURE_LINES = 60;

export const lastOf = (lines: readonly string[]): string => lines.slice(-MAX_FAILURE_LINES).join('\n').trim();

/** Start of an error outside of tests, such as a file that cannot be loaded. */
const BETWEEN_TESTS = '# Unhandled error between tests';

/** The output of each failed test, or of an error between tests, in a `bun test` run; limited to its last lines. */
export function failuresIn(text: string): string[] {
  const failures: string[] = [];
  let since: string[] = [];
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

const MAX_REASON_LINES = 6;

/** `error:` of Bun, and names of errors such as `TimeoutError:`. */
const ERROR = /^(error|\w{0,60}Error): /;

/** Lines of Bun's comparison of values; in a long one, the other lines are equal. */
const DIFFERENCE = /^(Expected|Received|[-+])/;

const TEST_PLACE = /^ {1,12}at .{1,300}\.(test|e2e)\.tsx?:\d/;

/**
 * A short form of a failure: the test's name, its error, expected and received values, and the position in the test; at
 * most six lines.
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
  const message = end < 0 ? error : error.slice(0, end);
  const left =
    message.length <= room ? message : message.filter((line, at) => at === 0 || DIFFERENCE.test(line));
  const shown = [
    ...(left.length > 1 ? left : message).slice(0, room),
    ...(place === undefined ? [] : [place]),
  ];
  return [...(name === undefined ? [] : [name]), ...shown.map((line) => `  ${line.trim().slice(0, 300)}`)];
}
