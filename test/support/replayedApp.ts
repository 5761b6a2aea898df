import type { Recording } from '#market/recording/dayBook.ts';
import { createReplay } from '#sources/quotes/replay/index.ts';
import { createHandScheduler } from './handScheduler.ts';
import { createTestApp, type TestApp, type TestAppOptions } from './testApp.ts';

export type ReplayedApp = TestApp & {
  /** Lets time pass, and plays everything that is due. */
  play(ms: number): void;
};

/** Longer than a replay waits between its steps. */
const STEP_MS = 1000;

/** A whole application in memory on a recording, stepped by hand. */
export function createReplayedApp(recording: Recording, options: TestAppOptions = {}): ReplayedApp {
  const steps = createHandScheduler(0);
  const app = createTestApp({
    ...options,
    env: { BELLBIRD_FEED: 'replay', BELLBIRD_REPLAY_FILE: 'any', ...options.env },
    market: (deps) => createReplay({ ...deps, recording, speed: 1, schedule: steps.schedule }),
  });
  return {
    ...app,
    play(ms) {
      app.clock.advance(ms);
      steps.advance(STEP_MS);
    },
  };
}
