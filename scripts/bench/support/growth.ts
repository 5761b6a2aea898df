/** Linear work needs less than this for LONG characters. */
const SUSPICIOUS_MS = 5;
/**
 * If a quarter of the text needs longer, smaller parts are measured first, because the whole would take too
 * long.
 */
const LONG_MS = 20;
/** For four times the length; quadratic would be 16. */
const MAX_GROWTH = 10;
/** If a quarter of the text needs less, the whole can't be suspicious. */
const HARMLESS_MS = SUSPICIOUS_MS / 16;
const LOOKS = 5;
/** Other threads (collector, compiler) count too, but little compared to this. */
const CERTAIN_MS = 100;

type Work = () => unknown;

/**
 * The least of several measurements, to exclude interruptions; processor time, because other programs run
 * too; ms.
 */
function timeOf(run: Work, times: number): number {
  const measured = Array.from({ length: times }, () => {
    const started = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1000;
  });
  return Math.min(...measured);
}

function isSteep(shorter: Work, longer: Work): boolean {
  for (let look = 0; look < LOOKS; look += 1) {
    const short = Math.max(timeOf(shorter, 8), 0.001);
    const first = timeOf(longer, 1);
    const long = first > CERTAIN_MS ? first : Math.min(first, timeOf(longer, 3));
    if (long / short <= MAX_GROWTH) return false;
  }
  return true;
}

export function growsTooFast(on: { sixteenth: Work; quarter: Work; whole: Work }): boolean {
  const quarter = timeOf(on.quarter, 2);
  if (quarter < HARMLESS_MS) return false;
  // Work that is mostly linear on a short text may not be on a longer one.
  if (quarter > LONG_MS) return isSteep(on.sixteenth, on.quarter) || isSteep(on.quarter, on.whole);
  return timeOf(on.whole, 2) >= SUSPICIOUS_MS && isSteep(on.quarter, on.whole);
}
