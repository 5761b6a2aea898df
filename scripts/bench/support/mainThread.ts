import type { CDPSession } from 'playwright-core';

export type TraceEvent = {
  name: string;
  ph: string;
  /** µs; `tdur` is the thread's own CPU time, without what others on the machine took away. */
  ts: number;
  dur?: number;
  tdur?: number;
  pid: number;
  tid: number;
};

/** ms of one tick: processor time of the main thread, and time by the wall clock. */
export type TickCost = { cpu: number; wall: number };

/** The name of the performance mark that the page sets when it has put a tick into the document. */
export const COMMITTED = 'tick-committed';

const TASK = 'ThreadControllerImpl::RunTask';

/** A tick's work lies within this time before the document changed: message, merge, render. */
const BEFORE_US = 120_000;

/** Records what the page's threads do; `stop` gives the events. */
export async function startTrace(session: CDPSession): Promise<{ stop(): Promise<TraceEvent[]> }> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  // Only tasks and our marks: the other categories cost the page time of their own.
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

/**
 * The main-thread time of each tick, ms: every task between the tick's arrival and the end of the frame task that
 * put it into the document, its style, layout and paint included.
 */
export function tickCosts(events: readonly TraceEvent[]): TickCost[] {
  const marks = events.filter(({ name }) => name === COMMITTED).sort((a, b) => a.ts - b.ts);
  const first = marks[0];
  if (!first) return [];
  const tasks = events
    .filter(({ name, ph, pid, tid }) => name === TASK && ph === 'X' && pid === first.pid && tid === first.tid)
    .map(({ ts, dur = 0, tdur = dur }) => ({ from: ts, to: ts + dur, cpu: tdur }));
  const ticks = marks.filter((mark, index) => mark.ts - (marks[index - 1]?.ts ?? 0) > BEFORE_US);
  return ticks.map(({ ts }) => {
    const last = marks.findLast((mark) => mark.ts - ts <= BEFORE_US)?.ts ?? ts;
    const mine = tasks.filter(({ from, to }) => to > ts - BEFORE_US && from <= last);
    return {
      cpu: mine.reduce((sum, { cpu }) => sum + cpu, 0) / 1000,
      wall: mine.reduce((sum, { from, to }) => sum + to - from, 0) / 1000,
    };
  });
}
