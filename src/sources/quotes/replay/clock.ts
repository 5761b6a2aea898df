import type { Stopwatch } from '../../../lib/clock.ts';
import type { MarketClock } from '../source.ts';

export type ReplayClock = MarketClock & {
  /** Taken to this moment, epoch ms, or to the end of the recording that is nearer; it goes on from there. */
  set(time: number): void;
  pause(isPaused: boolean): void;
  setSpeed(speed: number): void;
  isPaused(): boolean;
  /** The speed that was chosen, whether the clock runs or stands. */
  chosenSpeed(): number;
  hasEnded(): boolean;
  /**
   * Runs `work` with a function that makes the clock show a moment until it ends: what is recorded happens at its own time,
   * however late it is applied.
   */
  during(work: (show: (time: number) => void) => void): void;
};

export type ReplayClockOptions = {
  stopwatch: Stopwatch;
  /** The first and the last moment of the recording, epoch ms. */
  from: number;
  until: number;
  speed: number;
};

/**
 * The clock of a recording: it starts at its beginning, runs at any speed by the stopwatch, so that a step of the wall clock
 * moves nothing, and stops at its end.
 */
export function createReplayClock({ stopwatch, from, until, speed }: ReplayClockOptions): ReplayClock {
  /** The clock showed `time` when the stopwatch read `reading`. */
  let anchor = { time: from, reading: stopwatch.monotonic() };
  let chosen = speed;
  let paused = false;
  let held: number | null = null;

  function running(): number {
    if (paused) return anchor.time;
    const time = anchor.time + (stopwatch.monotonic() - anchor.reading) * chosen;
    return Math.min(until, Math.floor(time));
  }

  const anchorAt = (time: number): void => {
    anchor = { time, reading: stopwatch.monotonic() };
  };

  return {
    now: () => held ?? running(),
    get speed() {
      return paused || running() >= until ? 0 : chosen;
    },
    set: (time) => anchorAt(Math.min(until, Math.max(from, time))),
    pause(isPaused) {
      anchorAt(running());
      paused = isPaused;
    },
    setSpeed(next) {
      anchorAt(running());
      chosen = next;
    },
    isPaused: () => paused,
    chosenSpeed: () => chosen,
    hasEnded: () => running() >= until,
    during(work) {
      try {
        work((time) => {
          held = time;
        });
      } finally {
        held = null;
      }
    },
  };
}
