import type { Log } from '../../../lib/log.ts';
import type { RecordedBase, RecordedEvent, Recording } from '../../../market/recording/types.ts';
import type { MarketSink } from '../source.ts';
import type { ReplayClock } from './clock.ts';
import { stocksOf } from './platformValues.ts';
import { createEventTape, type TapeStep } from './tape.ts';
import type { KnownNews } from './knownNews.ts';

/** What plays a recording into the Market. */
export type Player = {
  /**
   * Applies what happened up to the clock's present moment, each thing at its own time.
   * @param isLongEnough asked after each step; what is left then follows with the next call
   * @returns whether nothing is left
   */
  play(sink: MarketSink, isLongEnough: () => boolean): boolean;
  /** Puts the Market into the state of a moment, epoch ms. @throws what reading the recording throws; nothing changed then */
  jump(sink: MarketSink, time: number): void;
  /** Up to when the recording was applied, epoch ms. */
  playedTo(): number;
};

export type PlayerDeps = {
  recording: Recording;
  clock: ReplayClock;
  knownNews: KnownNews;
  /** Whether the recorded provider brings indicators. */
  keepsIndicators: boolean;
  log: Log;
  /** Tells of what is not of prices, as it happens. */
  tell(event: RecordedEvent): void;
  /** Tells all of it that is known at this moment. */
  tellAll(): void;
};

const isOfStocks = ({ kind }: RecordedEvent): boolean => kind === 'stocks' || kind === 'remove';

type Sink = Omit<MarketSink, 'jump'>;

export function createPlayer(deps: PlayerDeps): Player {
  const { recording, clock, knownNews, keepsIndicators, log, tell, tellAll } = deps;
  const tape = createEventTape(recording);
  let playedTo = recording.from;
  let hasRefused = false;

  function applyStocks(sink: Sink, event: RecordedEvent & { kind: 'stocks' }): void {
    const [refused] = sink.apply(event.updates).refused;
    if (!refused || hasRefused) return;
    hasRefused = true;
    log.warn('The Market refused a recorded update; further ones are not logged', refused);
  }

  function take(sink: Sink, event: RecordedEvent | null): void {
    // Without an event the Market is to see that a phase has begun.
    if (event === null) sink.apply([]);
    else if (event.kind === 'stocks') applyStocks(sink, event);
    else if (event.kind === 'remove') sink.remove(event.codes);
    else knownNews.take(event);
  }

  /** Reads a moment from the recording before anything is changed. */
  function read(time: number): { base: RecordedBase; steps: TapeStep[] } {
    try {
      const base = recording.baseAt(time);
      tape.seek(base.time);
      const steps: TapeStep[] = [];
      for (let step = tape.next(time); step !== null; step = tape.next(time)) steps.push(step);
      return { base, steps };
    } catch (error) {
      tape.seek(playedTo);
      throw error;
    }
  }

  return {
    playedTo: () => playedTo,

    play(sink, isLongEnough) {
      const until = clock.now();
      let isDone = true;
      clock.during((show) => {
        for (let step = tape.next(until); step !== null; step = tape.next(until)) {
          show(step.time);
          take(sink, step.event);
          if (step.event && !isOfStocks(step.event)) tell(step.event);
          playedTo = step.time;
          if (!isLongEnough()) continue;
          isDone = false;
          return;
        }
      });
      if (isDone) playedTo = until;
      return isDone;
    },

    jump(sink, wanted) {
      const time = Math.min(recording.until, Math.max(recording.from, wanted));
      const { base, steps } = read(time);
      knownNews.begin(base);
      playedTo = time;
      const state = { stocks: stocksOf(base, keepsIndicators), facts: base.facts ?? {} };
      clock.during((show) => {
        show(base.time);
        sink.jump(state, (target) => {
          for (const step of steps) {
            show(step.time);
            take(target, step.event);
          }
          // Who is told of the jump next sees all of that moment.
          show(time);
          tellAll();
        });
      });
      // It runs on once all that listens is there too.
      clock.set(time);
    },
  };
}
