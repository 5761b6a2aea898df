const FIRST_MS = 1000;
const LONGEST_MS = 60_000;
/** What ran for so long is no start that fails over and over. */
const RAN_WELL_MS = 5 * 60_000;

/** How long to wait before a crashed server is started again: longer each time, up to a minute. */
export function createBackoff(): (ranMs: number) => number {
  let crashes = 0;
  return (ranMs) => {
    if (ranMs >= RAN_WELL_MS) crashes = 0;
    const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** crashes);
    crashes += 1;
    return wait;
  };
}
