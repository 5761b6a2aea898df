export type LoopWatch = {
  /** The longest time that the loop was held since the last reset, ms of processor time. */
  longest(): number;
  reset(): void;
  stop(): void;
};

/** Turns with the event loop and notes how much processor time its thread took between two turns. */
export function watchLoop(): LoopWatch {
  let longest = 0;
  let isStopped = false;
  let before = process.threadCpuUsage();
  const threadMs = (since: NodeJS.CpuUsage): number => {
    const { user, system } = process.threadCpuUsage(since);
    return (user + system) / 1000;
  };
  function turn(): void {
    longest = Math.max(longest, threadMs(before));
    before = process.threadCpuUsage();
    if (!isStopped) setImmediate(turn);
  }
  setImmediate(turn);
  return {
    longest: () => longest,
    reset() {
      longest = 0;
      before = process.threadCpuUsage();
    },
    stop() {
      isStopped = true;
    },
  };
}
