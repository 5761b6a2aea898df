/** What a piece of work took: processor time of all threads, which other programs hardly change, and by the clock; ms. */
export type Taken = { processor: number; clock: number };

export function take(work: () => void): Taken {
  const started = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return { processor: (user + system) / 1000, clock: performance.now() - started };
}
