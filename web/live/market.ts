import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import type { CalendarEvent } from '#market/calendar/rules/calendarEvent.ts';
import { holdSpecialDays } from '#market/rules/tradingDay.ts';
import { emptyStock, type Stock } from '#market/rules/stock.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { receiveAlertLine, sendAlertLine } from '#subjects/alerts/web/shared/alertStream.ts';
import type { OverviewFigures } from '#subjects/marketOverview/rules/aggregator.ts';
import { createSilence, type SilenceDeps } from './silence.ts';
import { browserDeps } from './stream/browserDeps.ts';
import { connectStream } from './stream/connect.ts';
import { withDelta } from './stream/marketState.ts';
import type {
  Connect,
  Connection,
  OverviewWord,
  MarketMeta,
  MarketState,
  Send,
  ToWindow,
} from './stream/protocol.ts';
import { sendWatch } from './watching.ts';

type Listener = (figures: OverviewFigures | null) => void;

let send: Send | null = null;
let listener: Listener | null = null;

/** Sets how to send to the holder of the stream; null after this window released it. */
function sendOverviewLine(next: Send | null): void {
  send = next;
}

/** Forwards the market overview; null if the overview's code could not be loaded. */
const receiveOverview: Listener = (figures) => listener?.(figures);

/** Sets the listener of the market overview. @returns the previous one */
export function takeOverviewLine(next: Listener | null): Listener | null {
  const before = listener;
  listener = next;
  return before;
}

/** Sends this window's request for the overview. */
export const sendOverview = (word: OverviewWord): void => send?.(word);

/** Longest wait for an animation frame, ms: a covered window may get none, which must not delay prices. */
const FRAME_LIMIT_MS = 250;
/** From this number of deltas on, a hidden window applies them without showing them, to limit memory. */
const MAX_WAITING = 30;

type WaitingDelta = Pick<
  Extract<ToWindow, { type: 'delta' }>,
  'delta' | 'whole' | 'receivedAt' | 'changedAt' | 'version'
>;

type DeltaQueue = {
  /** Shows a whole state immediately and drops deltas for the previous one. */
  replace(state: MarketState): void;
  add(delta: WaitingDelta): void;
  flush(): void;
  stop(): void;
};

function applied(before: MarketState, waiting: WaitingDelta): MarketState {
  const { delta, whole = [], receivedAt, changedAt, version } = waiting;
  const after = withDelta(before, delta, receivedAt);
  const stocks = whole.length === 0 ? after.stocks : withWhole(after.stocks, whole);
  const answered = version ?? before.version;
  return { ...after, stocks, changedAt, ...(answered === undefined ? {} : { version: answered }) };
}

/**
 * Rebuilds a stock that was received from another thread. Engines give parsed or cloned objects another shape, and
 * merging patches into those takes five times as long, every second.
 */
const builtHere = (stock: Stock): Stock => ({ ...emptyStock(stock.code), ...stock });

function withWhole(before: MarketState['stocks'], whole: Iterable<Stock>): MarketState['stocks'] {
  const stocks = new Map(before);
  for (const stock of whole) stocks.set(stock.code, builtHere(stock));
  return stocks;
}

/** Shows deltas once per animation frame, and none in a hidden window. Drops deltas before the first state. */
export function createDeltaQueue(show: (state: MarketState) => void): DeltaQueue {
  let latest: MarketState | null = null;
  let waiting: WaitingDelta[] = [];
  let cancelFrame: (() => void) | null = null;

  const apply = () => {
    for (const delta of waiting) if (latest) latest = applied(latest, delta);
    waiting = [];
  };
  const stop = () => {
    cancelFrame?.();
    cancelFrame = null;
  };
  const flush = () => {
    stop();
    apply();
    if (latest) show(latest);
  };
  return {
    replace: (state) => {
      latest = { ...state, stocks: withWhole(NO_STOCKS, state.stocks.values()) };
      waiting = [];
      flush();
    },
    add: (delta) => {
      waiting.push(delta);
      if (!document.hidden) cancelFrame ??= nextFrame(flush);
      else if (waiting.length >= MAX_WAITING) apply();
    },
    flush,
    stop,
  };
}

/** Runs with the next animation frame or after a timeout; the returned function cancels it. */
function nextFrame(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, FRAME_LIMIT_MS);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}

const NO_STOCKS: ReadonlyMap<string, Stock> = new Map();
const NO_EVENTS: ReadonlyMap<string, CalendarEvent> = new Map();
const TICK_MS = 1000;

const browserTimers: SilenceDeps = { elapsed: () => performance.now(), after: browserDeps.after };

const state = signal<MarketState | null>(null);
const connection = signal<Connection>('connecting');
const tick = signal(0);
const silence = signal(createSilence(browserTimers));

/**
 * The stocks that this window watches (`useWatch`) and some others, by code. The map is replaced at most once per
 * animation frame; unchanged stocks stay the same objects.
 */
export const stocks: ReadonlySignal<ReadonlyMap<string, Stock>> = computed(
  () => state.value?.stocks ?? NO_STOCKS,
);
/** The version of the watch that `stocks` answers: infinite for the whole market, 0 before the first snapshot. */
export const stocksVersion: ReadonlySignal<number> = computed(() =>
  state.value ? (state.value.version ?? Number.POSITIVE_INFINITY) : 0,
);
export const meta: ReadonlySignal<MarketMeta | null> = computed(() => state.value?.meta ?? null);
export const calendarEvents: ReadonlySignal<ReadonlyMap<string, CalendarEvent>> = computed(
  () => state.value?.fx.data ?? NO_EVENTS,
);
/** Whether the server has sent calendar events; the first part of a market contains none. */
export const hasEventWord: ReadonlySignal<boolean> = computed(
  () => state.value !== null && state.value.fx.lastUpdated !== null,
);
export const streamState: ReadonlySignal<Connection> = connection;
/** Seconds since the server last sent something; null up to 3 s, and while the window slept or could not receive. */
export const silentSeconds: ReadonlySignal<number | null> = computed(() => silence.value.seconds.value);
/** Whether the stream was silent for 5 s or is disconnected, so that the shown values are frozen. */
export const isStreamLost: ReadonlySignal<boolean> = computed(() => silence.value.isLost.value);
/** True for 2 s after a lost stream is back. */
export const isStreamBack: ReadonlySignal<boolean> = computed(() => silence.value.isBack.value);

/** Ms since the last price, updated every second while the window is visible; null before the first. */
export const dataAgeMs: ReadonlySignal<number | null> = computed(() => {
  const changedAt = state.value?.changedAt ?? null;
  return changedAt === null ? null : Math.max(0, Math.max(tick.value, Date.now()) - changedAt);
});

/**
 * The market's time, epoch ms: by the simulated clock if there is one, otherwise by the server's; by the local clock
 * before the first snapshot.
 */
export function marketNow(): number {
  const now = state.peek();
  const wall = Date.now();
  return now ? now.meta.marketTime + (wall - now.receivedAt) * now.meta.clockSpeed : wall;
}

/** Whether scanners ignore the status of stocks, according to the stream's flags. */
export const ignoresStatus = (): boolean => state.peek()?.meta.flags.ignoreStatus ?? false;

/** The server's wall clock, epoch ms; this machine's before the first snapshot. */
export function serverNow(): number {
  const now = state.peek();
  const wall = Date.now();
  return now ? now.meta.marketTime - now.meta.clockOffsetMs + (wall - now.receivedAt) : wall;
}

let started: (() => void) | null = null;
let askAgain: (() => void) | null = null;

/** Reconnects immediately, in every window of this browser. */
export function retryLive(): void {
  askAgain?.();
}

/**
 * Starts the market stream, once per window. Returns the stop function, which also clears the state. Tests pass their
 * own `connect` and timers.
 * @param begins the window's first scanner, whose rows are sent before the rest of the market
 */
export function startLive(
  connect: Connect = connectStream,
  timers: SilenceDeps = browserTimers,
  begins?: ScannerKey,
): () => void {
  if (started) return started;
  silence.value = createSilence(timers);
  const queue = createDeltaQueue((next) => {
    // Days and phases follow the special days, as on the server.
    holdSpecialDays(state, next.meta.closures ?? []);
    state.value = next;
  });
  const send = connect((message) => {
    if (message.type === 'ask') send({ type: 'here' });
    else receive(message, queue);
  });
  sendWatch(send, begins);
  sendAlertLine(send);
  sendOverviewLine(send);
  askAgain = () => send({ type: 'retry' });
  const stopWatching = watchWindow(windowListener(queue, send));
  const clock = setInterval(() => {
    if (!document.hidden) tick.value = Date.now();
  }, TICK_MS);
  started = () => {
    clearInterval(clock);
    queue.stop();
    stopWatching();
    sendWatch(null);
    sendAlertLine(null);
    sendOverviewLine(null);
    send({ type: 'bye' });
    forget();
  };
  return started;
}

function receive(message: Exclude<ToWindow, { type: 'ask' }>, queue: DeltaQueue): void {
  const { received } = silence.peek();
  if (message.type === 'connection') receiveConnection(message.connection);
  else if (message.type === 'heard') received(message.agoMs);
  else if (message.type === 'alert' || message.type === 'alertConnection') receiveAlertLine(message);
  else if (message.type === 'overview') receiveOverview(message.figures);
  else if (message.type === 'delta') {
    // A message with a version answers this window, so it does not prove that the server is alive.
    if (message.version === undefined) received(0);
    queue.add(message);
  } else {
    batch(() => {
      received(message.quietMs ?? 0);
      receiveConnection(message.connection);
      queue.replace(message.state);
    });
  }
}

function receiveConnection(next: Connection): void {
  // A window that joins while the stream is connecting has lost nothing.
  if (connection.peek() === 'live' && next !== 'live') silence.peek().dropped();
  connection.value = next;
}

function forget(): void {
  started = null;
  askAgain = null;
  silence.peek().stop();
  batch(() => {
    state.value = null;
    holdSpecialDays(state, []);
    connection.value = 'connecting';
  });
}

type WindowListener = { shown(): void; hidden(): void; offline(): void; left(): void };

/** Effects of the window's visibility on the stream. */
const windowListener = (queue: DeltaQueue, send: Send): WindowListener => ({
  shown: () => {
    tick.value = Date.now();
    queue.flush();
    silence.peek().setHidden(false);
    send({ type: 'shown' });
  },
  hidden: () => silence.peek().setHidden(true),
  offline: () => silence.peek().dropped(),
  left: () => send({ type: 'bye' }),
});

function watchWindow({ shown, hidden, offline, left }: WindowListener): () => void {
  const changed = () => (document.hidden ? hidden() : shown());
  const online = () => {
    if (!document.hidden) shown();
  };
  document.addEventListener('visibilitychange', changed);
  window.addEventListener('pageshow', changed);
  window.addEventListener('online', online);
  window.addEventListener('offline', offline);
  window.addEventListener('pagehide', left);
  return () => {
    document.removeEventListener('visibilitychange', changed);
    window.removeEventListener('pageshow', changed);
    window.removeEventListener('online', online);
    window.removeEventListener('offline', offline);
    window.removeEventListener('pagehide', left);
  };
}
