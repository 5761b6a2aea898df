import type { Connection } from './protocol.ts';

/** Specification, section 9; ms. */
export const STALE_AFTER_MS = 45_000;
export const CHECK_EVERY_MS = 10_000;
/** The server pings at least every 15 s; the rest is for latency. */
export const HEARTBEAT_MS = 17_000;
const FIRST_RETRY_MS = 1000;
const MAX_RETRY_MS = 30_000;
/** EventSource.readyState after the browser has stopped retrying. */
const CLOSED = 2;

/** The used members of EventSource, so that tests can replace it. */
export type Source = {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { data?: string; lastEventId?: string }) => void): void;
  close(): void;
};

export type Timer = (ms: number, run: () => void) => () => void;

export type SourceDeps = {
  openSource: (url: string) => Source;
  /** Epoch ms. */
  now: () => number;
  /** Ms since any moment, including sleep; never decreases. */
  elapsed: () => number;
  every: Timer;
  after: Timer;
  /** A random number from 0 to 1. */
  random: () => number;
};

export type SourceListener = {
  events: Record<string, (data: string, id: string) => void>;
  connection: (connection: Connection) => void;
};

export type ReconnectingSource = {
  start(): void;
  stop(): void;
  /** Call it when a window becomes visible: its data must then be fresh within one heartbeat. */
  shown(): void;
  retry(): void;
};

type Wait = 'check' | 'retry' | 'heartbeat';

type SourceState = {
  readonly deps: SourceDeps;
  readonly url: () => string;
  readonly listener: SourceListener;
  source: Source | null;
  lastEventId: string;
  /** Time by `elapsed`. */
  lastReceived: number;
  lastCheck: number;
  /** Number of consecutive connections that the browser stopped retrying. */
  failures: number;
  wasOpen: boolean;
  readonly waits: Map<Wait, () => void>;
};

/**
 * Keeps an EventSource alive: reopens it after 45 s of silence, if the browser stopped retrying, or if a visible window
 * got nothing for one heartbeat. Sends the last event id to resume.
 * @param url already has a query
 * @param lastEventId the event to resume from; empty starts again
 */
export function createReconnectingSource(
  deps: SourceDeps,
  url: () => string,
  listener: SourceListener,
  lastEventId = '',
): ReconnectingSource {
  const state: SourceState = {
    deps,
    url,
    listener,
    source: null,
    lastEventId,
    lastReceived: 0,
    lastCheck: 0,
    failures: 0,
    wasOpen: false,
    waits: new Map(),
  };
  return {
    start: () => start(state),
    stop: () => stop(state),
    shown: () => shown(state),
    retry: () => retry(state),
  };
}

function start(state: SourceState): void {
  const { deps, waits } = state;
  state.lastCheck = deps.elapsed();
  waits.set(
    'check',
    deps.every(CHECK_EVERY_MS, () => check(state)),
  );
  open(state);
}

function stop(state: SourceState): void {
  for (const name of [...state.waits.keys()]) cancel(state, name);
  state.source?.close();
  state.source = null;
  state.failures = 0;
}

function shown(state: SourceState): void {
  if (!state.source) return;
  if (state.source.readyState === CLOSED) open(state);
  else expectHeartbeat(state);
}

function retry(state: SourceState): void {
  if (!state.source) return;
  cancel(state, 'heartbeat');
  state.failures = 0;
  state.lastEventId = '';
  open(state);
}

function open(state: SourceState): void {
  const { deps, url, listener, lastEventId } = state;
  cancel(state, 'retry');
  state.source?.close();
  const after = lastEventId ? `&lastEventId=${encodeURIComponent(lastEventId)}` : '';
  const opened = deps.openSource(url() + after);
  state.source = opened;
  state.lastReceived = deps.elapsed();
  listener.connection(state.wasOpen ? 'reconnecting' : 'connecting');
  opened.addEventListener('open', () => received(state, opened, undefined));
  opened.addEventListener('error', () => failed(state, opened));
  for (const [name, receive] of Object.entries(listener.events)) {
    opened.addEventListener(name, (event) => {
      if (received(state, opened, event.lastEventId) && event.data !== undefined)
        receive(event.data, event.lastEventId ?? '');
    });
  }
}

/** Records a message. Returns false for a source that was replaced. */
function received(state: SourceState, opened: Source, id: string | undefined): boolean {
  if (opened !== state.source) return false;
  if (id) state.lastEventId = id;
  state.lastReceived = state.deps.elapsed();
  state.failures = 0;
  state.wasOpen = true;
  state.listener.connection('live');
  return true;
}

function failed(state: SourceState, opened: Source): void {
  const { deps, listener } = state;
  if (opened !== state.source) return;
  if (opened.readyState !== CLOSED) return listener.connection('reconnecting'); // The browser itself retries.
  listener.connection('disconnected');
  const longest = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** state.failures);
  state.failures += 1;
  wait(state, 'retry', longest * (0.5 + deps.random() / 2), () => open(state));
}

function expectHeartbeat(state: SourceState): void {
  const since = state.deps.elapsed();
  wait(state, 'heartbeat', HEARTBEAT_MS, () => {
    if (state.lastReceived < since) open(state);
  });
}

function check(state: SourceState): void {
  const { deps, waits } = state;
  const now = deps.elapsed();
  const slept = now - state.lastCheck > CHECK_EVERY_MS + STALE_AFTER_MS;
  state.lastCheck = now;
  if (waits.has('retry') || waits.has('heartbeat') || now - state.lastReceived <= STALE_AFTER_MS) return;
  // After sleep, this machine may have caused the silence, so the connection gets one heartbeat to recover.
  if (slept) expectHeartbeat(state);
  else open(state);
}

function cancel({ waits }: SourceState, name: Wait): void {
  waits.get(name)?.();
  waits.delete(name);
}

function wait(state: SourceState, name: Wait, ms: number, run: () => void): void {
  const { deps, waits } = state;
  cancel(state, name);
  const stopTimer = deps.after(ms, () => {
    waits.delete(name);
    run();
  });
  waits.set(name, stopTimer);
}
