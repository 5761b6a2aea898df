import type { Every } from './ports.ts';
import type { Connection } from './protocol.ts';

/** Spec section 9. */
export const STALE_AFTER_MS = 45_000;
export const CHECK_EVERY_MS = 10_000;
/** The server pings at least every 15 s; a little more for the way. */
export const HEARTBEAT_MS = 17_000;
const FIRST_RETRY_MS = 1000;
const LONGEST_RETRY_MS = 30_000;
const CLOSED = 2;

/** The part of EventSource that is used, so that a test can stand in for it. */
export type Source = {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: { data?: string; lastEventId?: string }) => void): void;
  close(): void;
};

export type KeeperDeps = {
  openSource: (url: string) => Source;
  now: () => number;
  every: Every;
  after: Every;
  /** 0 to 1. */
  random: () => number;
};

export type SourceListener = {
  events: Record<string, (data: string) => void>;
  connection: (connection: Connection) => void;
};

/**
 * Keeps one EventSource alive: reopens it when it is silent for 45 s, when the browser gave up on it, or when
 * a shown window waited one heartbeat in vain; the server is told the last event so that it can resume.
 */
export function createSourceKeeper(deps: KeeperDeps, url: string, listener: SourceListener) {
  let source: Source | null = null;
  let lastEventId = '';
  let lastHeard = 0;
  let lastCheck = 0;
  let failures = 0;
  let wasOpen = false;
  const waits = new Map<'check' | 'retry' | 'heartbeat', () => void>();

  const cancel = (name: 'check' | 'retry' | 'heartbeat') => {
    waits.get(name)?.();
    waits.delete(name);
  };
  const wait = (name: 'retry' | 'heartbeat', ms: number, run: () => void) => {
    cancel(name);
    waits.set(
      name,
      deps.after(ms, () => {
        waits.delete(name);
        run();
      }),
    );
  };
  const heard = (opened: Source, id: string | undefined) => {
    if (opened !== source) return false;
    if (id) lastEventId = id;
    lastHeard = deps.now();
    failures = 0;
    wasOpen = true;
    listener.connection('live');
    return true;
  };

  const open = () => {
    cancel('retry');
    source?.close();
    const opened = deps.openSource(
      lastEventId ? `${url}&lastEventId=${encodeURIComponent(lastEventId)}` : url,
    );
    source = opened;
    lastHeard = deps.now();
    listener.connection(wasOpen ? 'reconnecting' : 'connecting');
    opened.addEventListener('open', () => heard(opened, undefined));
    opened.addEventListener('error', () => failed(opened));
    for (const [name, take] of Object.entries(listener.events)) {
      opened.addEventListener(name, (event) => {
        if (heard(opened, event.lastEventId) && event.data !== undefined) take(event.data);
      });
    }
  };

  const failed = (opened: Source) => {
    if (opened !== source) return;
    if (opened.readyState !== CLOSED) return listener.connection('reconnecting'); // The browser retries by itself.
    listener.connection('disconnected');
    const longest = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures);
    failures += 1;
    wait('retry', longest * (0.5 + deps.random() / 2), open);
  };

  const expectHeartbeat = () => {
    const since = deps.now();
    wait('heartbeat', HEARTBEAT_MS, () => {
      if (lastHeard < since) open();
    });
  };

  const check = () => {
    const now = deps.now();
    const slept = now - lastCheck > CHECK_EVERY_MS + STALE_AFTER_MS;
    lastCheck = now;
    if (waits.has('retry') || waits.has('heartbeat') || now - lastHeard <= STALE_AFTER_MS) return;
    // After a sleep the silence may be this machine's own: the link gets one heartbeat to prove itself.
    if (slept) expectHeartbeat();
    else open();
  };

  return {
    start: () => {
      lastCheck = deps.now();
      waits.set('check', deps.every(CHECK_EVERY_MS, check));
      open();
    },
    stop: () => {
      for (const name of [...waits.keys()]) cancel(name);
      source?.close();
      source = null;
      failures = 0;
    },
    /** A window came back into view: what it shows must be fresh within one heartbeat. */
    shown: () => {
      if (!source) return;
      if (source.readyState === CLOSED) open();
      else expectHeartbeat();
    },
    /** Somebody does not trust what is shown: a new link, from a whole snapshot. */
    retry: () => {
      if (!source) return;
      cancel('heartbeat');
      failures = 0;
      lastEventId = '';
      open();
    },
  };
}
