/** Work on a text that looks at each character a few times needs less than this for LONG characters. */
const SUSPICIOUS_MS = 5;
/** What goes back to each character for the rest of the text needs this for a quarter of it, and longer. */
const HOPELESS_MS = 10;
/** Of a text that is four times as long; quadratic would be 16. */
const MAX_GROWTH = 10;
/** What needs less for a quarter of the text can't be suspicious for all of it. */
const HARMLESS_MS = SUSPICIOUS_MS / 16;

/** The least of several times, in which nothing else got in the way; processor time, as other programs run too; ms. */
function timeOf(run: () => unknown, times: number): number {
  const measured = Array.from({ length: times }, () => {
    const started = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  });
  return Math.min(...measured);
}

/**
 * Whether work grows faster than what it is done on: a text four times as long takes more than ten times as long. What is
 * fast on both is not looked at, so that no verdict depends on a few microseconds, and the least of several growths counts.
 *
 * @param on does the work on one of four parts of the whole, or on all four
 * @param hopelessMs a quarter that takes longer is too slow whatever the whole takes; ms
 */
export function growsTooFast(
  on: { quarter(): unknown; whole(): unknown },
  hopelessMs: number = HOPELESS_MS,
): boolean {
  const quarter = timeOf(on.quarter, 2);
  // Once more, unless it is far beyond: on a busy machine another thread's work counts in.
  if (quarter > hopelessMs) return quarter > 20 * hopelessMs || timeOf(on.quarter, 6) > hopelessMs;
  if (quarter < HARMLESS_MS) return false;
  if (timeOf(on.whole, 2) < SUSPICIOUS_MS) return false;
  const growths = Array.from({ length: 5 }, () => {
    const short = Math.max(timeOf(on.quarter, 8), 0.001);
    return timeOf(on.whole, 3) / short;
  });
  return Math.min(...growths) > MAX_GROWTH;
}
