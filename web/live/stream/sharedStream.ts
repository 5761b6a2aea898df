import { type Port, createView, NO_FX, type View } from './view.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { createOverviews, Overviews } from '#subjects/marketOverview/rules/overviews.ts';
import { fromSnapshot, withDelta } from './marketState.ts';
import {
  ALERT_EVENTS,
  type AlertEventName,
  type Connection,
  type FromWindow,
  type OverviewWord,
  type MarketDelta,
  type MarketState,
  type SessionWord,
  type ToWindow,
} from './protocol.ts';
import { readDelta, readSnapshot } from './readStream.ts';
import {
  createReconnectingSource,
  type ReconnectingSource,
  type SourceDeps,
  type Timer,
} from './reconnectingSource.ts';

const ALERTS_URL = '/api/user/alerts/stream';

type AlertSource = {
  /** Sets whose alerts a window wants, and makes the window the lead. */
  session(port: Port, word: SessionWord): void;
  shown(): void;
  start(): void;
  stop(): void;
};

type AlertState = {
  readonly deps: SourceDeps;
  readonly ports: Pick<Ports, 'all' | 'toAll'>;
  token: string | null;
  lastEventId: string;
  lead: Port | null;
  source: ReconnectingSource | null;
  connection: Connection;
};

function createAlertSource(deps: SourceDeps, ports: AlertState['ports']): AlertSource {
  const state: AlertState = {
    deps,
    ports,
    token: null,
    lastEventId: '',
    lead: null,
    source: null,
    connection: 'connecting',
  };
  return {
    session: (port, word) => receiveSession(state, port, word),
    shown: () => state.source?.shown(),
    start: () => start(state),
    stop: () => stop(state),
  };
}

function receiveSession(state: AlertState, port: Port, { token, lastEventId }: SessionWord): void {
  state.lead = port;
  if (token !== state.token) {
    stop(state);
    state.token = token;
    state.lastEventId = lastEventId;
    start(state);
  }
  port(connectionOf(state));
}

const connectionOf = ({ connection, lastEventId }: AlertState) =>
  ({ type: 'alertConnection', connection, lastEventId }) as const;

function start(state: AlertState): void {
  const { deps, token } = state;
  if (token === null || state.source) return;
  const receive = (name: AlertEventName) => (data: string, id: string) => receiveEvent(state, name, data, id);
  state.source = createReconnectingSource(
    deps,
    () => `${ALERTS_URL}?token=${encodeURIComponent(token)}`,
    {
      events: {
        ...Object.fromEntries(ALERT_EVENTS.map((name) => [name, receive(name)])),
        ping: (_, id) => receivePing(state, id),
      },
      connection: (next) => receiveConnection(state, next),
    },
    state.lastEventId,
  );
  state.source.start();
}

function stop(state: AlertState): void {
  state.source?.stop();
  state.source = null;
  state.connection = 'connecting';
}

function receiveEvent(state: AlertState, name: AlertEventName, data: string, id: string): void {
  if (id) state.lastEventId = id;
  const windows = state.ports.all();
  // The lead window may have closed without a message.
  const lead = windows.find((port) => port === state.lead) ?? windows[0];
  for (const port of windows) port({ type: 'alert', name, data, id, isLead: port === lead });
}

/** Stores the position in the first ping, which users without alerts get too. */
function receivePing(state: AlertState, id: string): void {
  if (!id || id === state.lastEventId) return;
  state.lastEventId = id;
  state.ports.toAll(connectionOf(state));
}

function receiveConnection(state: AlertState, next: Connection): void {
  if (next === state.connection) return;
  state.connection = next;
  state.ports.toAll(connectionOf(state));
}

export const ASK_EVERY_MS = 30_000;
const UNANSWERED_LIMIT = 3;

type PortEvents = {
  firstCame: () => void;
  lastLeft: () => void;
  welcome: (port: Port) => void;
};

type Ports = {
  add(port: Port): void;
  drop(port: Port): void;
  /** Call it when a window sent something; a dropped window is added again. */
  received(port: Port): void;
  toAll(message: ToWindow): void;
  all(): Port[];
  serves(port: Port): boolean;
  count(): number;
};

/**
 * The windows being served. A message port does not report a crashed or frozen window, so windows are polled, and a
 * silent one is dropped until it sends something.
 */
function createPorts(every: Timer, on: PortEvents): Ports {
  const unanswered = new Map<Port, number>();
  let stopAsking: (() => void) | null = null;

  const drop = (port: Port) => {
    if (!unanswered.delete(port) || unanswered.size > 0) return;
    stopAsking?.();
    stopAsking = null;
    on.lastLeft();
  };
  const add = (port: Port) => {
    unanswered.set(port, 0);
    if (unanswered.size === 1) {
      stopAsking = every(ASK_EVERY_MS, () => ask(unanswered, drop));
      on.firstCame();
    }
    on.welcome(port);
  };
  return {
    add,
    drop,
    received: (port) => {
      if (unanswered.has(port)) unanswered.set(port, 0);
      else add(port);
    },
    toAll: (message) => {
      for (const port of unanswered.keys()) port(message);
    },
    all: () => [...unanswered.keys()],
    serves: (port) => unanswered.has(port),
    count: () => unanswered.size,
  };
}

/** Polls every window, and drops those that did not answer several polls. */
function ask(unanswered: Map<Port, number>, drop: (port: Port) => void): void {
  for (const [port, times] of [...unanswered]) {
    if (times >= UNANSWERED_LIMIT) drop(port);
    else {
      unanswered.set(port, times + 1);
      port({ type: 'ask' });
    }
  }
}

/** Collects the deltas that complete a partial market, and other messages in that time. */
type Filling = {
  add(delta: MarketDelta, receivedAt: number): void;
  /** The messages that take a window from before the first delta to `state`. */
  messages(state: MarketState): ToWindow[];
};

function createFilling(): Filling {
  const touched = new Set<string>();
  const fx: MarketDelta['fx'][] = [];
  let meta: MarketDelta['meta'] = {};
  let datedAt = 0;
  return {
    add: ({ stocks, ...delta }, receivedAt) => {
      for (const code of [...Object.keys(stocks.upsert), ...stocks.delete]) touched.add(code);
      fx.push(delta.fx);
      meta = { ...meta, ...delta.meta };
      if (delta.meta.marketTime !== undefined) datedAt = receivedAt;
    },
    messages: ({ stocks, changedAt }) => {
      const message = (change: Partial<MarketDelta>) => ({
        type: 'delta' as const,
        delta: { stocks: { upsert: {}, delete: [] }, meta: {}, fx: NO_FX, ...change },
        receivedAt: datedAt,
        changedAt,
      });
      const gone = [...touched].filter((code) => !stocks.has(code));
      const whole = [...touched].flatMap((code) => stocks.get(code) ?? []);
      return [
        { ...message({ stocks: { upsert: {}, delete: gone }, meta }), whole },
        ...fx.filter(isChange).map((change) => message({ fx: change })),
      ];
    },
  };
}

const isChange = ({ upsert, delete: gone, lastUpdated }: MarketDelta['fx']): boolean =>
  Object.keys(upsert).length > 0 || gone.length > 0 || lastUpdated !== null;

export const STREAM_URL = '/api/data/stream?parts=1';

/** Loads the market overview's code, which most windows never need. */
export type LoadOverviews = (script: string) => typeof createOverviews | Promise<typeof createOverviews>;

/** A later snapshot that stays incomplete is shown after this time, ms. */
const ASSEMBLY_LIMIT_MS = 5000;
/** How long the parts after a first snapshot are collected, ms; the server sends them after 0.4 s. */
const FILLING_LIMIT_MS = 1000;

/** Joins a window with its first message, the watch. @returns a function that receives the window's messages */
export function joinWithFirstWord(stream: SharedStream, port: Port): (message: FromWindow) => void {
  let notify: ((message: FromWindow) => void) | null = null;
  return (message) => {
    if (notify) notify(message);
    else if (message.type !== 'bye') notify = stream.join(port, message);
  };
}

/**
 * Holds the market stream and the alert stream for any number of windows: in a SharedWorker, or inside a single window.
 * A window that joins later gets the state immediately.
 */
export class SharedStream {
  readonly #ports: Ports;
  readonly #alerts: AlertSource;
  readonly #source: ReconnectingSource;
  #state: MarketState | null = null;
  /** A newer partial snapshot. Until it is complete, windows show the older state. */
  #assembling: MarketState | null = null;
  /** Deltas after an incomplete first snapshot; null in other cases. */
  #filling: Filling | null = null;
  #connection: Connection = 'connecting';
  /** The first window's scanner, whose stocks are requested first. */
  #begins: ScannerKey | undefined;
  /** Time of the last message by `deps.elapsed`; null before the first. */
  #receivedAt: number | null = null;
  #stopWaiting: (() => void) | null = null;
  /** Computes market overviews; loaded with the first request. */
  #overviews: Overviews | null = null;
  #coming: Promise<typeof createOverviews> | null = null;

  constructor(
    private readonly deps: SourceDeps,
    private readonly loadOverviews: LoadOverviews,
  ) {
    this.#ports = createPorts(deps.every, {
      firstCame: () => {
        this.#source.start();
        this.#alerts.start();
      },
      lastLeft: () => {
        this.#source.stop();
        this.#alerts.stop();
      },
      welcome: (port) => this.#welcome(port),
    });
    this.#alerts = createAlertSource(deps, this.#ports);
    this.#source = createReconnectingSource(deps, () => this.#address(), {
      events: {
        snapshot: this.#received((text) => this.#receiveSnapshot(text)),
        delta_update: this.#received((text) => this.#receiveDelta(text)),
        ping: this.#received(() => this.#ports.toAll({ type: 'heard', agoMs: 0 })),
      },
      connection: (next) => this.#receiveConnection(next),
    });
  }

  /**
   * Adds a window. Returns the receiver of its messages.
   * @param first the window's first message: a window that starts with its watch never gets other stocks
   */
  join(port: Port, first?: FromWindow): (message: FromWindow) => void {
    const view = createView(port, () => this.#state);
    if (first) receiveWatch(view, first);
    if (this.#ports.count() === 0 && first?.type === 'watch') this.#begins = first.begins;
    this.#ports.add(view.receive);
    return (message) => this.#receive(message, port, view);
  }

  windows(): number {
    return this.#ports.count();
  }

  #receive(message: FromWindow, port: Port, view: View): void {
    receiveWatch(view, message);
    if (message.type === 'shown' && this.#receivedAt !== null) {
      port({ type: 'heard', agoMs: this.deps.elapsed() - this.#receivedAt });
    }
    if (message.type === 'bye') {
      this.#ports.drop(view.receive);
      this.#overviews?.drop(view.receive);
    } else this.#ports.received(view.receive);
    if (message.type === 'overview') this.#receiveOverview(view.receive, message);
    if (message.type === 'session') this.#alerts.session(view.receive, message);
    if (message.type === 'shown' || message.type === 'retry') this.#alerts.shown();
    if (message.type === 'shown') this.#source.shown();
    if (message.type === 'retry') {
      this.#source.retry();
      // Sent even without a change, so that the window knows that the holder exists.
      port({ type: 'connection', connection: this.#connection });
    }
  }

  /** After the first state, no scanner needs to be first, because snapshots are shown only when complete. */
  #address(): string {
    return this.#begins && !this.#state ? `${STREAM_URL}&scanner=${this.#begins}` : STREAM_URL;
  }

  #welcome(port: Port): void {
    const state = this.#state;
    const connection = this.#connection;
    if (state)
      port({ type: 'state', state, connection, quietMs: this.deps.elapsed() - (this.#receivedAt ?? 0) });
    else port({ type: 'connection', connection });
  }

  #received(receive: (text: string) => void): (text: string) => void {
    return (text) => {
      this.#receivedAt = this.deps.elapsed();
      receive(text);
    };
  }

  #receiveConnection(next: Connection): void {
    if (next === this.#connection) return;
    this.#connection = next;
    this.#ports.toAll({ type: 'connection', connection: next });
  }

  #receiveSnapshot(text: string): void {
    const receivedAt = this.deps.now();
    const snapshot = readSnapshot(text, receivedAt);
    if (!snapshot) return;
    const next = fromSnapshot(snapshot, receivedAt);
    if (!this.#state) return this.#publishFirst(next);
    if (canReplace(next, this.#state)) return this.#publish(next);
    this.#assembling = next;
    this.#stopWaiting?.();
    this.#stopWaiting = this.deps.after(ASSEMBLY_LIMIT_MS, () => {
      if (this.#assembling) this.#publish(this.#assembling);
    });
  }

  #receiveDelta(text: string): void {
    const delta = readDelta(text);
    if (!delta) return;
    const receivedAt = this.deps.now();
    if (this.#assembling && this.#state) {
      this.#assembling = withDelta(this.#assembling, delta, receivedAt);
      if (canReplace(this.#assembling, this.#state)) this.#publish(this.#assembling);
      else this.#ports.toAll({ type: 'heard', agoMs: 0 });
    } else if (this.#state) {
      this.#state = withDelta(this.#state, delta, receivedAt);
      this.#filling?.add(delta, receivedAt);
      if (!this.#filling) {
        this.#sendMarket({ type: 'delta', delta, receivedAt, changedAt: this.#state.changedAt });
      } else if (isComplete(this.#state)) this.#endFilling();
    }
  }

  /** Shows the first part immediately and the other parts together, because each would be drawn separately. */
  #publishFirst(state: MarketState): void {
    this.#publish(state);
    if (isComplete(state)) return;
    this.#filling = createFilling();
    this.#stopWaiting = this.deps.after(FILLING_LIMIT_MS, () => this.#endFilling());
  }

  #endFilling(): void {
    const filling = this.#filling;
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    this.#filling = null;
    if (filling && this.#state) {
      for (const message of filling.messages(this.#state)) this.#sendMarket(message);
    }
  }

  #publish(state: MarketState): void {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    this.#assembling = null;
    this.#filling = null;
    this.#state = state;
    this.#sendMarket({ type: 'state', state, connection: this.#connection });
  }

  #sendMarket(message: ToWindow): void {
    this.#ports.toAll(message);
    if (this.#state) this.#overviews?.hear(message, this.#state);
  }

  #receiveOverview(port: Port, { ask, script }: OverviewWord): void {
    this.#coming ??= Promise.resolve(script).then(this.loadOverviews);
    this.#coming.then(
      (create) => {
        this.#overviews ??= create((window) => this.#ports.serves(window as Port));
        this.#overviews.take(port, ask, this.#state);
      },
      () => {
        this.#coming = null;
        port({ type: 'overview', figures: null });
      },
    );
  }
}

function receiveWatch(view: View, message: FromWindow): void {
  if (message.type === 'watch') view.watch(message.watch, message.version);
}

const isComplete = ({ stocks, meta }: MarketState): boolean => stocks.size >= meta.stockCount;

/** Whether a later snapshot is complete. The first part of a small market has all its stocks but no events. */
const canReplace = (next: MarketState, shown: MarketState): boolean =>
  isComplete(next) && (next.fx.lastUpdated !== null || !next.meta.calendar || shown.fx.data.size === 0);
