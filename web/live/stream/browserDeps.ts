import type { SourceDeps } from './reconnectingSource.ts';

/** If the wall clock is ahead of the monotonic clock by more than this (ms), the machine slept. */
const SLEPT_MS = 1000;

/**
 * A monotonic clock that includes sleep, unlike that of most browsers, and ignores a wall clock that is set back.
 * @returns a function that returns ms since any moment
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
    // A clock that is set forward looks like sleep; the next heartbeat then shows that the stream works.
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
