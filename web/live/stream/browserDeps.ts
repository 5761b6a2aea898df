import type { SourceDeps } from './reconnectingSource.ts';

/** A larger lead of the wall clock over the stopwatch counts as sleep, ms. */
const SLEPT_MS = 1000;

/**
 * A stopwatch that includes sleep, which most browsers' own do not, and that ignores a wall clock set back.
 * @returns gives ms since any moment
 */
export function createElapsed(
  wall: () => number = () => Date.now(),
  stopwatch: () => number = () => performance.now(),
): () => number {
  let last = { wall: wall(), stopwatch: stopwatch() };
  let slept = 0;
  return () => {
    const reading = { wall: wall(), stopwatch: stopwatch() };
    const ahead = reading.wall - last.wall - (reading.stopwatch - last.stopwatch);
    // A clock set forward looks the same; the stream then proves itself within a heartbeat.
    if (ahead > SLEPT_MS) slept += ahead;
    last = reading;
    return reading.stopwatch + slept;
  };
}

export const browserDeps: SourceDeps = {
  openSource: (url) => {
    const source = new EventSource(url);
    return {
      get readyState() {
        return source.readyState;
      },
      addEventListener: (type, listener) =>
        source.addEventListener(type, (event) => listener(event instanceof MessageEvent ? event : {})),
      close: () => source.close(),
    };
  },
  now: () => Date.now(),
  elapsed: createElapsed(),
  every: (ms, run) => {
    const timer = setInterval(run, ms);
    return () => clearInterval(timer);
  },
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  random: () => Math.random(),
};
