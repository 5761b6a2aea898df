import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import type { Stock } from '../../../src/domain/market/stock.ts';
import type { CalendarEvent } from '../../../src/domain/market/stream.ts';
import { createDeltaQueue, type DeltaQueue } from './deltaQueue.ts';
import { connectStream } from './stream/connect.ts';
import type { Connect, Connection, MarketMeta, MarketState, ToWindow } from './stream/protocol.ts';
import { tellWatch } from './watching.ts';

const NO_STOCKS: ReadonlyMap<string, Stock> = new Map();
const NO_EVENTS: ReadonlyMap<string, CalendarEvent> = new Map();
const TICK_MS = 1000;

const state = signal<MarketState | null>(null);
const connection = signal<Connection>('connecting');
const tick = signal(0);

/**
 * The stocks that this window watches (`useWatch`), by code, and others that it has for now. Replaced as a whole at most
 * once per animation frame; stocks that did not change stay identical.
 */
export const stocks: ReadonlySignal<ReadonlyMap<string, Stock>> = computed(
  () => state.value?.stocks ?? NO_STOCKS,
);
/** The version of the watch that `stocks` follow: infinite when they are all there are, 0 before the first snapshot. */
export const stocksVersion: ReadonlySignal<number> = computed(() =>
  state.value ? (state.value.version ?? Number.POSITIVE_INFINITY) : 0,
);
/** What is known of the market as a whole; null before the first snapshot. */
export const meta: ReadonlySignal<MarketMeta | null> = computed(() => state.value?.meta ?? null);
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
  const queue = createDeltaQueue((next) => {
    state.value = next;
  });
  const send = connect((message) => {
    if (message.type === 'ask') send({ type: 'here' });
    else receive(message, queue);
  });
  tellWatch(send);
  askAgain = () => send({ type: 'retry' });
  const stopWatching = watchWindow({
    shown: () => {
      tick.value = Date.now();
      queue.flush();
      send({ type: 'shown' });
    },
    left: () => send({ type: 'bye' }),
  });
  const clock = setInterval(() => {
    if (!document.hidden) tick.value = Date.now();
  }, TICK_MS);
  started = () => {
    clearInterval(clock);
    queue.stop();
    stopWatching();
    tellWatch(null);
    send({ type: 'bye' });
    forget();
  };
  return started;
}

function receive(message: Exclude<ToWindow, { type: 'ask' }>, queue: DeltaQueue): void {
  if (message.type === 'connection') connection.value = message.connection;
  else if (message.type === 'delta') queue.add(message);
  else {
    batch(() => {
      connection.value = message.connection;
      queue.replace(message.state);
    });
  }
}

function forget(): void {
  started = null;
  askAgain = null;
  batch(() => {
    state.value = null;
    connection.value = 'connecting';
  });
}

/** Tells when the window comes into view or finds the network again, and when it is left. Returns the stop function. */
function watchWindow({ shown, left }: { shown: () => void; left: () => void }): () => void {
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
