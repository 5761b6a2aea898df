import { phasesOf } from '#market/rules/sessionClock.ts';
import { addDays, sydneyDate } from '#market/rules/sydneyTime.ts';
import type { RecordedEvent, Recording } from '#market/recording/types.ts';

/** A moment at which something is to be applied; without an event a phase of the exchange begins. */
export type TapeStep = { time: number; event: RecordedEvent | null };

/** The events of a recording in order, from a moment on, each given once. */
export type EventTape = {
  /** Goes to a moment: what happened until then, it included, is not given any more. */
  seek(time: number): void;
  /** The next step up to a moment, it included; null when there is none. @throws what reading the recording throws */
  next(until: number): TapeStep | null;
};

/**
 * When phases begin, epoch ms: the Market gives stocks that state none the status of the phase, and what follows from that is
 * to happen at that moment, however the recording is played.
 */
function phaseStarts(from: number, until: number): number[] {
  const starts: number[] = [];
  const last = sydneyDate(until);
  for (let date = sydneyDate(from); date <= last; date = addDays(date, 1)) {
    const phases = phasesOf(date);
    starts.push(...phases.map(({ since }) => since), ...phases.slice(-1).map((phase) => phase.until));
  }
  return starts.filter((time) => time > from && time <= until);
}

/** @param recording is read as the steps are asked for, a chunk at a time */
export function createEventTape(recording: Pick<Recording, 'from' | 'until' | 'events'>): EventTape {
  const starts = phaseStarts(recording.from, recording.until);
  let events: Iterator<RecordedEvent> | null = null;
  /** The event that was read ahead; null at the end of the recording. */
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
      // A phase has begun before what happens in its first moment.
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
