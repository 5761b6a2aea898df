import { createElapsed } from './elapsed.ts';
import type { SourceDeps } from './reconnectingSource.ts';

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
