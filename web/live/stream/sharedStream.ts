import type { ScannerKey } from '../../../src/subjects/scanners/rules/scanners.ts';
import { createAlertSource } from './alertSource.ts';
import { createPorts, type Port, type Ports } from './ports.ts';
import { fromSnapshot, withDelta } from './marketState.ts';
import type { Connection, FromWindow, MarketState } from './protocol.ts';
import { createView, type View } from './view.ts';
import { createFilling, type Filling } from './filling.ts';
import { readDelta, readSnapshot } from './readStream.ts';
import { createReconnectingSource, type SourceDeps } from './reconnectingSource.ts';

export const STREAM_URL = '/api/data/stream?parts=1';

/** The parts of a later snapshot that never becomes complete are shown as they are after this time. */
const ASSEMBLY_LIMIT_MS = 5000;
/** The parts that follow a first snapshot are held together for so long at most; the server sends them after 0.4 s. */
const FILLING_LIMIT_MS = 1000;

/**
 * Takes a window into the stream with the first thing that it says, which is what it watches.
 * @returns takes that window's messages
 */
export function joinWithFirstWord(stream: SharedStream, port: Port): (message: FromWindow) => void {
  let tell: ((message: FromWindow) => void) | null = null;
  return (message) => {
    if (tell) tell(message);
    else if (message.type !== 'bye') tell = stream.join(port, message);
  };
}

export type SharedStream = {
  /**
   * Takes a window in; the returned function takes that window's messages.
   * @param first what it says as it comes: a window that says at once what it watches is never sent the rest
   */
  join(port: Port, first?: FromWindow): (message: FromWindow) => void;
  /** How many windows are being served. */
  windows(): number;
};

/** What the stream said so far. */
type StreamState = {
  readonly deps: SourceDeps;
  readonly ports: Ports;
  state: MarketState | null;
  /** A newer snapshot that is still coming in parts, while windows keep showing the older state. */
  assembling: MarketState | null;
  /** What came after a first snapshot that is not complete yet, for windows to take at once; null otherwise. */
  filling: Filling | null;
  connection: Connection;
  /** The scanner that the first window opened with: what it begins with is asked for first. */
  begins: ScannerKey | undefined;
  /** When the server last said something, by `deps.elapsed`; null before it did. */
  heardAt: number | null;
  /** Stops waiting for the parts of a snapshot. */
  stopWaiting: (() => void) | null;
};

/**
 * Holds one market stream with the market's state, and one alert stream, for any number of windows: in a SharedWorker for
 * all windows of a browser, or inside a single window. A window that joins later gets the state at once.
 */
export function createSharedStream(deps: SourceDeps): SharedStream {
  const ports = createPorts(deps.every, {
    firstCame: () => {
      source.start();
      alerts.start();
    },
    lastLeft: () => {
      source.stop();
      alerts.stop();
    },
    welcome: (port) => welcome(stream, port),
  });
  const alerts = createAlertSource(deps, ports);
  const stream: StreamState = {
    deps,
    ports,
    state: null,
    assembling: null,
    filling: null,
    connection: 'connecting',
    begins: undefined,
    heardAt: null,
    stopWaiting: null,
  };
  const heard = (take: (stream: StreamState, text: string) => void) => (text: string) => {
    stream.heardAt = deps.elapsed();
    take(stream, text);
  };
  const source = createReconnectingSource(deps, () => addressOf(stream), {
    events: {
      snapshot: heard(takeSnapshot),
      delta_update: heard(takeDelta),
      ping: heard(() => ports.toAll({ type: 'heard', agoMs: 0 })),
    },
    connection: (next) => takeConnection(stream, next),
  });
  return {
    join: (port, first) => {
      const view = createView(port, () => stream.state);
      if (first) takeWatch(view, first);
      if (ports.count() === 0 && first?.type === 'watch') stream.begins = first.begins;
      ports.add(view.say);
      return (message) => {
        takeWatch(view, message);
        if (message.type === 'shown' && stream.heardAt !== null) {
          port({ type: 'heard', agoMs: deps.elapsed() - stream.heardAt });
        }
        if (message.type === 'bye') ports.drop(view.say);
        else ports.heard(view.say);
        if (message.type === 'session') alerts.session(view.say, message);
        if (message.type === 'shown' || message.type === 'retry') alerts.shown();
        if (message.type === 'shown') source.shown();
        if (message.type === 'retry') {
          source.retry();
          // Also when nothing changed: the window learns that somebody is there to try.
          port({ type: 'connection', connection: stream.connection });
        }
      };
    },
    windows: ports.count,
  };
}

/** Once something is shown, a snapshot is shown when it is complete: nothing of it is needed first. */
const addressOf = ({ state, begins }: StreamState): string =>
  begins && !state ? `${STREAM_URL}&scanner=${begins}` : STREAM_URL;

function takeWatch(view: View, message: FromWindow): void {
  if (message.type === 'watch') view.watch(message.watch, message.version);
}

function welcome({ deps, state, connection, heardAt }: StreamState, port: Port): void {
  if (state) port({ type: 'state', state, connection, quietMs: deps.elapsed() - (heardAt ?? 0) });
  else port({ type: 'connection', connection });
}

function takeConnection(stream: StreamState, next: Connection): void {
  if (next === stream.connection) return;
  stream.connection = next;
  stream.ports.toAll({ type: 'connection', connection: next });
}

const isComplete = ({ stocks, meta }: MarketState): boolean => stocks.size >= meta.stockCount;

/** Whether a later snapshot has come whole: the first part of a small market has all its stocks, and none of the events. */
const canReplace = (next: MarketState, shown: MarketState): boolean =>
  isComplete(next) && (next.fx.lastUpdated !== null || !next.meta.calendar || shown.fx.data.size === 0);

function takeSnapshot(stream: StreamState, text: string): void {
  const { deps } = stream;
  const receivedAt = deps.now();
  const snapshot = readSnapshot(text, receivedAt);
  if (!snapshot) return;
  const next = fromSnapshot(snapshot, receivedAt);
  if (!stream.state) return publishFirst(stream, next);
  if (canReplace(next, stream.state)) return publish(stream, next);
  stream.assembling = next;
  stream.stopWaiting?.();
  stream.stopWaiting = deps.after(ASSEMBLY_LIMIT_MS, () => {
    if (stream.assembling) publish(stream, stream.assembling);
  });
}

function takeDelta(stream: StreamState, text: string): void {
  const delta = readDelta(text);
  if (!delta) return;
  const receivedAt = stream.deps.now();
  if (stream.assembling && stream.state) {
    stream.assembling = withDelta(stream.assembling, delta, receivedAt);
    if (canReplace(stream.assembling, stream.state)) publish(stream, stream.assembling);
    else stream.ports.toAll({ type: 'heard', agoMs: 0 });
  } else if (stream.state) {
    stream.state = withDelta(stream.state, delta, receivedAt);
    stream.filling?.add(delta, receivedAt);
    if (!stream.filling) {
      stream.ports.toAll({ type: 'delta', delta, receivedAt, changedAt: stream.state.changedAt });
    } else if (isComplete(stream.state)) endFilling(stream);
  }
}

/** The first part is shown at once; the others together, as each would be drawn anew. */
function publishFirst(stream: StreamState, state: MarketState): void {
  publish(stream, state);
  if (isComplete(state)) return;
  stream.filling = createFilling();
  stream.stopWaiting = stream.deps.after(FILLING_LIMIT_MS, () => endFilling(stream));
}

function endFilling(stream: StreamState): void {
  const { filling, state } = stream;
  stream.stopWaiting?.();
  stream.stopWaiting = null;
  stream.filling = null;
  if (filling && state) for (const message of filling.messages(state)) stream.ports.toAll(message);
}

function publish(stream: StreamState, state: MarketState): void {
  stream.stopWaiting?.();
  stream.stopWaiting = null;
  stream.assembling = null;
  stream.filling = null;
  stream.state = state;
  stream.ports.toAll({ type: 'state', state, connection: stream.connection });
}
