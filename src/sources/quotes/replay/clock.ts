import type { Stopwatch } from '#lib/clock.ts';
import type { MarketClock } from '../source.ts';

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
export class ReplayClock implements MarketClock {
  private readonly stopwatch: Stopwatch;
  private readonly from: number;
  private readonly until: number;
  /** The clock showed `time` when the stopwatch read `reading`. */
  private anchor: { time: number; reading: number };
  private chosen: number;
  private paused = false;
  private held: number | null = null;

  constructor({ stopwatch, from, until, speed }: ReplayClockOptions) {
    this.stopwatch = stopwatch;
    this.from = from;
    this.until = until;
    this.anchor = { time: from, reading: stopwatch.monotonic() };
    this.chosen = speed;
  }

  /** Handed on alone, as the time of the market. */
  readonly now = (): number => this.held ?? this.running();

  get speed(): number {
    return this.paused || this.hasEnded() ? 0 : this.chosen;
  }

  /** Taken to this moment, epoch ms, or to the end of the recording that is nearer; it goes on from there. */
  set(time: number): void {
    this.anchorAt(Math.min(this.until, Math.max(this.from, time)));
  }

  pause(isPaused: boolean): void {
    this.anchorAt(this.running());
    this.paused = isPaused;
  }

  setSpeed(speed: number): void {
    this.anchorAt(this.running());
    this.chosen = speed;
  }

  isPaused(): boolean {
    return this.paused;
  }

  /** The speed that was chosen, whether the clock runs or stands. */
  chosenSpeed(): number {
    return this.chosen;
  }

  hasEnded(): boolean {
    return this.running() >= this.until;
  }

  /**
   * Runs `work` with a function that makes the clock show a moment until it ends: what is recorded happens at its own time,
   * however late it is applied.
   */
  during(work: (show: (time: number) => void) => void): void {
    try {
      work((time) => {
        this.held = time;
      });
    } finally {
      this.held = null;
    }
  }

  private running(): number {
    const { time, reading } = this.anchor;
    if (this.paused) return time;
    return Math.min(this.until, Math.floor(time + (this.stopwatch.monotonic() - reading) * this.chosen));
  }

  private anchorAt(time: number): void {
    this.anchor = { time, reading: this.stopwatch.monotonic() };
  }
}
