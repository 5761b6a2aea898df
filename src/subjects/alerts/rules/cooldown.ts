export const cooldownMs = (minutes: number): number => minutes * 60_000;

/**
 * When what was told in an earlier run has cooled down, as a reading of the stopwatch. What was told in the future was told
 * before the clock was set back: its cooldown begins again.
 * @param toldAt epoch ms by the wall clock; @param coolMs how long it cools down
 */
export const cooledAt = (
  toldAt: number,
  coolMs: number,
  { wall, monotonic }: { wall: number; monotonic: number },
): number => monotonic + coolMs - Math.max(0, wall - toldAt);
