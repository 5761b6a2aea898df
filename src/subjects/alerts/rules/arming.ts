/**
 * What is already true as an alert is saved or switched on fires only so long after that, in ms: a slip can be undone until
 * then, and nothing of it was sent.
 */
export const ARMING_MS = 5000;

/**
 * How long what is already true still waits, in ms.
 * @param armedAt epoch ms; null where nothing waits
 * @param now epoch ms by the same clock, which may have been set back since
 */
export const armingLeft = (armedAt: number | null, now: number): number =>
  armedAt === null ? 0 : Math.max(0, Math.min(ARMING_MS, armedAt - now));
