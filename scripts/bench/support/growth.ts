/** Work on a text that looks at each character a few times needs less than this for LONG characters. */
const SUSPICIOUS_MS = 5;
/** What needs more for a quarter of the text is judged by smaller parts first: what these convict would take too long on the whole. */
const LONG_MS = 20;
/** Of a text that is four times as long; quadratic would be 16. */
const MAX_GROWTH = 10;
/** What needs less for a quarter of the text can't be suspicious for all of it. */
const HARMLESS_MS = SUSPICIOUS_MS / 16;
const LOOKS = 5;
/** Work of other threads counts in: the collector's, the compiler's. It is little beside what takes longer than this. */
const CERTAIN_MS = 100;

type Work = () => unknown;

/** The least of several times, in which nothing else got in the way; processor time, as other programs run too; ms. */
function timeOf(run: Work, times: number): number {
  const measured = Array.from({ length: times }, () => {
    const started = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  });
  return Math.min(...measured);
}

/** Whether every look finds that the longer of two texts takes too long for being four times as long. */
function isSteep(shorter: Work, longer: Work): boolean {
  for (let look = 0; look < LOOKS; look += 1) {
    const short = Math.max(timeOf(shorter, 8), 0.001);
    const first = timeOf(longer, 1);
    const long = first > CERTAIN_MS ? first : Math.min(first, timeOf(longer, 3));
    if (long / short <= MAX_GROWTH) return false;
  }
  return true;
}

/**
 * Whether work grows faster than what it is done on: a text four times as long takes more than ten times as long. What is
 * fast is not looked at, so that no verdict depends on a few microseconds. How fast a machine is decides what that is, so a
 * slower one looks at more; what is looked at is judged by its growth alone.
 *
 * @param on does the work on a part of the text
 */
export function growsTooFast(on: { sixteenth: Work; quarter: Work; whole: Work }): boolean {
  const quarter = timeOf(on.quarter, 2);
  if (quarter < HARMLESS_MS) return false;
  // What is linear for the most part on a short text may not be on a longer one.
  if (quarter > LONG_MS) return isSteep(on.sixteenth, on.quarter) || isSteep(on.quarter, on.whole);
  return timeOf(on.whole, 2) >= SUSPICIOUS_MS && isSteep(on.quarter, on.whole);
}
