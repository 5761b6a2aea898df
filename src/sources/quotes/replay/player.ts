import type { Stopwatch } from '#lib/clock.ts';
import type { Log } from '#lib/log.ts';
import type { KnownNews } from '#market/recording/knownNews.ts';
import type { RecordedBase, RecordedEvent } from '#market/recording/types.ts';
import type { Recording } from '#market/recording/dayBook.ts';
import { phasesOf } from '#market/rules/sessionClock.ts';
import { addDays, sydneyDate } from '#lib/sydneyTime.ts';
import type { MarketClock, MarketSink } from '#market/sources/quotes.ts';

type ReplayClockOptions = {
  stopwatch: Stopwatch;
  from: number;
  until: number;
  speed: number;
};

/**
 * The clock of a recording. It runs from its beginning to its end, at any speed, by the stopwatch, so a
 * changed wall clock has no effect.
 */
export class ReplayClock implements MarketClock {
  private readonly stopwatch: Stopwatch;
  private readonly from: number;
  private readonly until: number;
  /** The clock showed `time` at the stopwatch reading `reading`. */
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

  /** An arrow function, because it is passed as the market's time. */
  readonly now = (): number => this.held ?? this.running();

  get speed(): number {
    return this.paused || this.hasEnded() ? 0 : this.chosen;
  }

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

  chosenSpeed(): number {
    return this.chosen;
  }

  hasEnded(): boolean {
    return this.running() >= this.until;
  }

  /**
   * Runs `work` with a function that sets the shown moment until it ends. Recorded events thus happen at
   * their own time, however late they are applied.
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

type QueueStep = { time: number; event: RecordedEvent | null };

type EventQueue = {
  seek(time: number): void;
  /** The next step up to a moment, inclusive, or null. @throws RecordingError if it can't be read */
  next(until: number): QueueStep | null;
};

function phaseStarts(from: number, until: number): number[] {
  const starts: number[] = [];
  const last = sydneyDate(until);
  for (let date = sydneyDate(from); date <= last; date = addDays(date, 1)) {
    const phases = phasesOf(date);
    starts.push(...phases.map(({ since }) => since), ...phases.slice(-1).map((phase) => phase.until));
  }
  return starts.filter((time) => time > from && time <= until);
}

function createEventQueue(recording: Pick<Recording, 'from' | 'until' | 'events'>): EventQueue {
  const starts = phaseStarts(recording.from, recording.until);
  let events: Iterator<RecordedEvent> | null = null;
  let ahead: RecordedEvent | null = null;
  let startAt = 0;

  function readAhead(): void {
    const read = events?.next();
    ahead = !read || read.done === true ? null : read.value;
  }

  return {
    seek(time) {
      startAt = starts.findIndex((start) => start > time);
      if (startAt < 0) startAt = starts.length;
      events = recording.events(time, recording.until)[Symbol.iterator]();
      readAhead();
    },
    next(until) {
      const start = starts[startAt] ?? Number.POSITIVE_INFINITY;
      // A phase begins before the events of its first moment.
      if (start <= Math.min(until, ahead?.time ?? Number.POSITIVE_INFINITY)) {
        startAt += 1;
        return { time: start, event: null };
      }
      if (ahead === null || ahead.time > until) return null;
      const event = ahead;
      readAhead();
      return { time: event.time, event };
    },
  };
}

type PlayerDeps = {
  recording: Recording;
  clock: ReplayClock;
  knownNews: KnownNews;
  log: Log;
  notify(event: RecordedEvent): void;
  notifyAll(): void;
};

const isOfStocks = ({ kind }: RecordedEvent): boolean => kind === 'stocks' || kind === 'remove';

type Sink = Omit<MarketSink, 'jump'>;

export class Player {
  private readonly queue: ReturnType<typeof createEventQueue>;
  private applied: number;
  private hasRefused = false;

  constructor(private readonly deps: PlayerDeps) {
    this.queue = createEventQueue(deps.recording);
    this.applied = deps.recording.from;
  }

  playedTo(): number {
    return this.applied;
  }

  /**
   * Applies events up to the clock's time, each at its own time.
   * @param isLongEnough checked after each step; the rest follows with the next call
   * @returns whether nothing is left
   */
  play(sink: MarketSink, isLongEnough: () => boolean): boolean {
    const { clock, notify } = this.deps;
    const until = clock.now();
    let isDone = true;
    clock.during((show) => {
      for (let step = this.queue.next(until); step !== null; step = this.queue.next(until)) {
        show(step.time);
        this.take(sink, step.event);
        if (step.event && !isOfStocks(step.event)) notify(step.event);
        this.applied = step.time;
        if (!isLongEnough()) continue;
        isDone = false;
        return;
      }
    });
    if (isDone) this.applied = until;
    return isDone;
  }

  /**
   * Sets the Market to a moment, epoch ms. @throws RecordingError if it can't be read; nothing changes then
   */
  jump(sink: MarketSink, wanted: number): void {
    const { recording, clock, knownNews, notifyAll } = this.deps;
    const time = Math.min(recording.until, Math.max(recording.from, wanted));
    const { base, steps } = this.read(time);
    knownNews.begin(base);
    this.applied = time;
    const state = { stocks: base.stocks, facts: base.facts ?? {} };
    clock.during((show) => {
      show(base.time);
      sink.jump(state, (target) => {
        for (const step of steps) {
          show(step.time);
          this.take(target, step.event);
        }
        show(time);
        notifyAll();
      });
    });
    // The clock runs again once all listeners are there.
    clock.set(time);
  }

  private read(time: number): { base: RecordedBase; steps: QueueStep[] } {
    try {
      const base = this.deps.recording.baseAt(time);
      this.queue.seek(base.time);
      const steps: QueueStep[] = [];
      for (let step = this.queue.next(time); step !== null; step = this.queue.next(time)) steps.push(step);
      return { base, steps };
    } catch (error) {
      this.queue.seek(this.applied);
      throw error;
    }
  }

  private take(sink: Sink, event: RecordedEvent | null): void {
    if (event === null) sink.apply([]);
    else if (event.kind === 'stocks') this.applyStocks(sink, event);
    else if (event.kind === 'remove') sink.remove(event.codes);
    else this.deps.knownNews.take(event);
  }

  private applyStocks(sink: Sink, event: RecordedEvent & { kind: 'stocks' }): void {
    const [refused] = sink.apply(event.updates).refused;
    if (!refused || this.hasRefused) return;
    this.hasRefused = true;
    this.deps.log.warn('The market rejected a recorded update; others are not logged', refused);
  }
}
