export type LoopWatch = {
  /** The longest time that the loop was held since the last reset, ms of processor time. */
  longest(): number;
  reset(): void;
  stop(): void;
};

/**
 * Turns with the event loop and notes how much processor time its thread took between two turns. The system may count
 * that in steps of 4 ms, so it is never taken for more than what passed by the clock.
 */
export function watchLoop(): LoopWatch {
  let longest = 0;
  let isStopped = false;
  const look = () => ({ cpu: process.threadCpuUsage(), at: performance.now() });
  let before = look();
  function turn(): void {
    const now = look();
    const cpu = (now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system) / 1000;
    longest = Math.max(longest, Math.min(cpu, now.at - before.at));
    before = now;
    if (!isStopped) setImmediate(turn);
  }
  setImmediate(turn);
  return {
    longest: () => longest,
    reset() {
      longest = 0;
      before = look();
    },
    stop() {
      isStopped = true;
    },
  };
}
