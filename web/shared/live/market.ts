import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import type { Stock } from '../../../src/domain/market/stock.ts';
import type { Delta, CalendarEvent, StreamMeta } from '../../../src/domain/market/stream.ts';
import { type Connect, connectStream } from './stream/connect.ts';
import { withDelta } from './stream/marketState.ts';
import type { Connection, MarketState, ToWindow } from './stream/protocol.ts';

const NO_STOCKS: ReadonlyMap<string, Stock> = new Map();
const NO_EVENTS: ReadonlyMap<string, CalendarEvent> = new Map();
/** A frame that never comes (a covered window) must not hold back prices. */
const FRAME_LIMIT_MS = 250;
/** A hidden window folds what waits into its state, unshown, so that nothing piles up. */
const FOLD_AFTER = 30;

const state = signal<MarketState | null>(null);
const connection = signal<Connection>('connecting');
const tick = signal(0);

/** Every listing by code, replaced as a whole at most once per animation frame; unchanged stocks stay identical. */
export const stocks: ReadonlySignal<ReadonlyMap<string, Stock>> = computed(
  () => state.value?.stocks ?? NO_STOCKS,
);
export const meta: ReadonlySignal<StreamMeta | null> = computed(() => state.value?.meta ?? null);
/** Economic events by id. */
export const calendarEvents: ReadonlySignal<ReadonlyMap<string, CalendarEvent>> = computed(
  () => state.value?.fx.data ?? NO_EVENTS,
);
export const streamState: ReadonlySignal<Connection> = connection;

/** How long ago a price last came in, ms, each second anew while the window is shown; null before the first. */
export const dataAgeMs: ReadonlySignal<number | null> = computed(() => {
  const changedAt = state.value?.changedAt ?? null;
  return changedAt === null ? null : Math.max(0, Math.max(tick.value, Date.now()) - changedAt);
});

/** The market's own time, epoch ms: the simulated day's when there is one, else the server's; the wall clock before the first snapshot. */
export function marketNow(): number {
  const now = state.peek();
  const wall = Date.now();
  return now ? now.meta.marketTime + (wall - now.receivedAt) * now.meta.clockSpeed : wall;
}

type Waiting = { delta: Delta; receivedAt: number };
/** Applies deltas to a state, oldest first. */
const fold = (before: MarketState, waiting: readonly Waiting[]): MarketState =>
  waiting.reduce((folded, { delta, receivedAt }) => withDelta(folded, delta, receivedAt), before);

let started: (() => void) | null = null;
let askAgain: (() => void) | null = null;

/** Opens the stream anew at once, whatever it was doing or waiting for; every window of this browser gets it. */
export function retryLive(): void {
  askAgain?.();
}

/**
 * Starts listening to the market, once per window; a second call changes nothing. Returns the stop function,
 * which also forgets the state. Tests pass their own `connect`.
 */
export function startLive(connect: Connect = connectStream): () => void {
  if (started) return started;
  let latest: MarketState | null = null;
  let waiting: Waiting[] = [];
  let cancelFlush: (() => void) | null = null;

  const flush = () => {
    cancelFlush?.();
    cancelFlush = null;
    if (latest && waiting.length > 0) latest = fold(latest, waiting);
    waiting = [];
    if (latest !== state.peek()) state.value = latest;
  };
  const schedule = () => {
    if (document.hidden) {
      if (latest && waiting.length >= FOLD_AFTER) {
        latest = fold(latest, waiting);
        waiting = [];
      }
      return;
    }
    if (cancelFlush) return;
    const frame = requestAnimationFrame(flush);
    const timer = setTimeout(flush, FRAME_LIMIT_MS);
    cancelFlush = () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  };

  const receive = (message: ToWindow) => {
    if (message.type === 'ask') send({ type: 'here' });
    else if (message.type === 'connection') connection.value = message.connection;
    else if (message.type === 'delta') {
      waiting.push(message);
      schedule();
    } else {
      batch(() => {
        connection.value = message.connection;
        latest = message.state;
        waiting = [];
        flush();
      });
    }
  };
  const send = connect(receive);
  askAgain = () => send({ type: 'retry' });

  const stopWatching = watchWindow(
    () => {
      tick.value = Date.now();
      flush();
      send({ type: 'shown' });
    },
    () => send({ type: 'bye' }),
  );
  const clock = setInterval(() => {
    if (!document.hidden) tick.value = Date.now();
  }, 1000);

  started = () => {
    clearInterval(clock);
    cancelFlush?.();
    stopWatching();
    send({ type: 'bye' });
    started = null;
    askAgain = null;
    batch(() => {
      state.value = null;
      connection.value = 'connecting';
    });
  };
  return started;
}

function watchWindow(shown: () => void, left: () => void): () => void {
  const changed = () => {
    if (!document.hidden) shown();
  };
  document.addEventListener('visibilitychange', changed);
  window.addEventListener('pageshow', changed);
  window.addEventListener('online', changed);
  window.addEventListener('pagehide', left);
  return () => {
    document.removeEventListener('visibilitychange', changed);
    window.removeEventListener('pageshow', changed);
    window.removeEventListener('online', changed);
    window.removeEventListener('pagehide', left);
  };
}
