import type { Source } from '#web/live/stream/reconnectingSource.ts';

type Listener = (event: { data?: string; lastEventId?: string }) => void;

/** An EventSource controlled by the test. */
function fakeSource(url: string) {
  const listeners = new Map<string, Listener[]>();
  let readyState = 0;
  const emit = (type: string, event: Parameters<Listener>[0]) => {
    for (const listener of listeners.get(type) ?? []) listener(event);
  };
  const source = {
    url,
    closed: false,
    get readyState() {
      return readyState;
    },
    addEventListener: (type: string, listener: Listener) =>
      void listeners.set(type, [...(listeners.get(type) ?? []), listener]),
    close: () => {
      readyState = 2;
      source.closed = true;
    },
    open: () => {
      readyState = 1;
      emit('open', {});
    },
    send: (type: string, data: unknown, id = '') =>
      emit(type, { data: JSON.stringify(data), lastEventId: id }),
    /** Raw text arrives, JSON or not. */
    sendText: (type: string, data: string) => emit(type, { data, lastEventId: '' }),
    /** The connection breaks: 'retrying' if the browser retries on its own, 'gone' if it gave up. */
    fail: (how: 'retrying' | 'gone') => {
      readyState = how === 'gone' ? 2 : 0;
      emit('error', {});
    },
  };
  return source;
}

/** Creates sources and keeps them, the newest last. */
export function fakeSources() {
  const made: ReturnType<typeof fakeSource>[] = [];
  const open = (url: string): Source => {
    const source = fakeSource(url);
    made.push(source);
    return source;
  };
  const last = () => {
    const source = made.at(-1);
    if (!source) throw new Error('No stream was opened.');
    return source;
  };
  return { open, made, last };
}

/** A clock and timers that move only when told. */
export function fakeTimers(start = 1_000_000) {
  type Timer = { at: number; every: number | null; run: () => void };
  let now = start;
  let shift = 0;
  const timers = new Set<Timer>();
  const add = (ms: number, every: number | null, run: () => void) => {
    const timer = { at: now + ms, every, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => now + shift,
    elapsed: () => now,
    /** Sets the wall clock this much forward, or back; no time passes. */
    stepWall: (ms: number) => {
      shift += ms;
    },
    every: (ms: number, run: () => void) => add(ms, ms, run),
    after: (ms: number, run: () => void) => add(ms, null, run),
    /** Runs what is due, in order, up to then. */
    pass: (ms: number) => {
      const end = now + ms;
      for (;;) {
        const due = [...timers].filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
        if (!due) break;
        now = due.at;
        if (due.every === null) timers.delete(due);
        else due.at += due.every;
        due.run();
      }
      now = end;
    },
    /** The machine sleeps: time passes and no timer runs until it wakes, then each due timer runs once. */
    sleep: (ms: number) => {
      now += ms;
      for (const timer of [...timers].filter((one) => one.at <= now)) {
        if (timer.every === null) timers.delete(timer);
        else timer.at = now + timer.every;
        timer.run();
      }
    },
    pending: () => timers.size,
  };
}
