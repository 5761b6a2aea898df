import type { CDPSession } from 'playwright-core';

export type TraceEvent = {
  name: string;
  ph: string;
  /** Times in µs; `tdur` is the thread's own processor time, independent of other programs. */
  ts: number;
  dur?: number;
  tdur?: number;
  pid: number;
  tid: number;
};

/** The cost of one tick, ms. All members except `wall` are processor time of the main thread. */
export type TickCost = {
  /** Time until the end of the frame task that put the tick into the document. */
  frame: number;
  wall: number;
  /** Time until 100 ms after the tick is in the document. */
  tick: number;
  second: number;
};

/** Performance mark that the page sets when a tick is in the document. */
export const COMMITTED = 'tick-committed';

const TASK = 'ThreadControllerImpl::RunTask';

/** Longest time from the message to the changed document: message, merge, render. */
const BEFORE_US = 200_000;
/** Time for style, layout and paint of the change, and the start of its flashes. */
const AFTER_US = 100_000;
const SECOND_US = 1_000_000;

export async function startTrace(session: CDPSession): Promise<{ stop(): Promise<TraceEvent[]> }> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  // Other categories of trace events slow the page down.
  const categories = ['toplevel', 'blink.user_timing'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', categories: categories.join(',') });
  return {
    async stop() {
      const complete = new Promise<void>((resolve) =>
        session.once('Tracing.tracingComplete', () => resolve()),
      );
      await session.send('Tracing.end');
      await complete;
      return events;
    },
  };
}

type Task = { from: number; to: number; cpu: number };

const cpuOf = (tasks: readonly Task[]): number => tasks.reduce((sum, { cpu }) => sum + cpu, 0) / 1000;

export function tasksWith(mark: string, events: readonly TraceEvent[]): number[] {
  const tasks = events.filter(({ name, ph }) => name === TASK && ph === 'X').sort((a, b) => a.ts - b.ts);
  return events
    .filter(({ name }) => name === mark)
    .flatMap(({ ts, pid, tid }) => {
      const task = tasks.find(
        (one) => one.pid === pid && one.tid === tid && one.ts <= ts && ts <= one.ts + (one.dur ?? 0),
      );
      return task?.tdur === undefined ? [] : [task.tdur / 1000];
    });
}

/** The first mark of each tick; later ones in the same tick belong to it. */
function firstMarks(marks: readonly TraceEvent[]): TraceEvent[] {
  const firsts: TraceEvent[] = [];
  for (const mark of marks) {
    if (mark.ts - (firsts.at(-1)?.ts ?? Number.NEGATIVE_INFINITY) > SECOND_US / 2) firsts.push(mark);
  }
  return firsts;
}

/**
 * The main thread's time per tick. Every task of the thread counts, including style, layout and paint. The ticks must
 * be a second apart.
 */
export function tickCosts(events: readonly TraceEvent[]): TickCost[] {
  const marks = events.filter(({ name }) => name === COMMITTED).sort((a, b) => a.ts - b.ts);
  const first = marks[0];
  if (!first) return [];
  const tasks = events
    .filter(({ name, ph, pid, tid }) => name === TASK && ph === 'X' && pid === first.pid && tid === first.tid)
    .map(({ ts, dur = 0, tdur = dur }): Task => ({ from: ts, to: ts + dur, cpu: tdur }));
  return firstMarks(marks).map(({ ts }) => {
    const start = ts - BEFORE_US;
    const last = marks.findLast((mark) => mark.ts - ts <= AFTER_US)?.ts ?? ts;
    const until = (end: number) => tasks.filter(({ from }) => from > start && from <= end);
    return {
      frame: cpuOf(until(last)),
      wall: until(last).reduce((sum, { from, to }) => sum + to - from, 0) / 1000,
      tick: cpuOf(until(ts + AFTER_US)),
      second: cpuOf(until(start + SECOND_US)),
    };
  });
}
