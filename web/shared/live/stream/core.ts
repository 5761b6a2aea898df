import { createPorts, type Port } from './ports.ts';
import { fromSnapshot, parseDelta, parseSnapshot, withDelta } from './marketState.ts';
import type { Connection, FromWindow, MarketState } from './protocol.ts';
import { createSourceKeeper, type KeeperDeps } from './sourceKeeper.ts';

export const STREAM_URL = '/api/data/stream?parts=1';

/** A reconnect's parts that never become complete are shown as they are after this time. */
const ASSEMBLY_LIMIT_MS = 5000;

export type StreamCore = {
  /** Takes a window in; the returned function takes that window's messages. */
  join(port: Port): (message: FromWindow) => void;
  /** Windows that are being served, for tests and the console. */
  windows(): number;
};

/**
 * Holds one stream and the market's state for any number of windows: in a SharedWorker for all windows of a
 * browser, or inside a single window. A window that joins later gets the state at once.
 */
export function createStreamCore(deps: KeeperDeps): StreamCore {
  let state: MarketState | null = null;
  /** A newer snapshot that is still coming in parts, while windows keep showing the older state. */
  let assembling: MarketState | null = null;
  let connection: Connection = 'connecting';
  let stopWaiting: (() => void) | null = null;

  const ports = createPorts(deps.every, {
    firstCame: () => keeper.start(),
    lastLeft: () => keeper.stop(),
    welcome: (port) => {
      if (state) port({ type: 'state', state, connection });
      else port({ type: 'connection', connection });
    },
  });

  const publish = (next: MarketState) => {
    stopWaiting?.();
    stopWaiting = null;
    assembling = null;
    state = next;
    ports.toAll({ type: 'state', state, connection });
  };
  const isComplete = (some: MarketState) => some.stocks.size >= some.meta.stockCount;

  const takeSnapshot = (text: string) => {
    const snapshot = parseSnapshot(text);
    if (!snapshot) return;
    const next = fromSnapshot(snapshot, deps.now());
    if (!state || isComplete(next)) return publish(next);
    assembling = next;
    stopWaiting?.();
    stopWaiting = deps.after(ASSEMBLY_LIMIT_MS, () => assembling && publish(assembling));
  };

  const takeDelta = (text: string) => {
    const delta = parseDelta(text);
    if (!delta) return;
    const receivedAt = deps.now();
    if (assembling) {
      assembling = withDelta(assembling, delta, receivedAt);
      if (isComplete(assembling)) publish(assembling);
    } else if (state) {
      state = withDelta(state, delta, receivedAt);
      ports.toAll({ type: 'delta', delta, receivedAt });
    }
  };

  const keeper = createSourceKeeper(deps, STREAM_URL, {
    events: { snapshot: takeSnapshot, delta_update: takeDelta, ping: () => {} },
    connection: (next) => {
      if (next === connection) return;
      connection = next;
      ports.toAll({ type: 'connection', connection });
    },
  });

  return {
    join: (port) => {
      ports.add(port);
      return (message) => {
        if (message.type === 'bye') ports.drop(port);
        else ports.heard(port);
        if (message.type === 'shown') keeper.shown();
        if (message.type === 'retry') {
          keeper.retry();
          // Also when nothing changed: the window learns that somebody is there to try.
          port({ type: 'connection', connection });
        }
      };
    },
    windows: ports.count,
  };
}
