export type LoopWatch = {
  longest(): number;
  reset(): void;
  stop(): void;
};

/**
 * Measures the processor time of the thread between two turns of the event loop. The system may count in
 * steps of 4 ms, so it is limited by the clock.
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
