import type { SourceDeps } from './reconnectingSource.ts';

/** The wall clock may run ahead of the stopwatch by this much before it counts as time that the machine slept, ms. */
const SLEPT_MS = 1000;

/**
 * A stopwatch that counts the time in which the machine slept, which browsers' own leave out on most systems, and
 * that never goes back when the wall clock is set back.
 * @returns a function that gives ms since any moment
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
    // A clock that is set forward looks the same: the stream then proves itself within a heartbeat, as after a sleep.
    if (ahead > SLEPT_MS) slept += ahead;
    last = reading;
    return reading.stopwatch + slept;
  };
}

/** What the stream needs of this browser; the same in a worker and in a window. */
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
