import { emptyStock, type Stock } from '#market/rules/stock.ts';
import { withDelta } from './stream/marketState.ts';
import type { MarketState, ToWindow } from './stream/protocol.ts';

/** A frame that never comes (a covered window) must not hold back prices. */
const FRAME_LIMIT_MS = 250;
/** This many waiting deltas are applied in a hidden window too, without being shown, to keep the memory. */
const MAX_WAITING = 30;

const NO_STOCKS: MarketState['stocks'] = new Map();

export type WaitingDelta = Pick<
  Extract<ToWindow, { type: 'delta' }>,
  'delta' | 'whole' | 'receivedAt' | 'changedAt' | 'version'
>;

export type DeltaQueue = {
  /** Shows a whole state at once; deltas that waited for the older one are void. */
  replace(state: MarketState): void;
  add(delta: WaitingDelta): void;
  /** Shows at once what waits. */
  flush(): void;
  /** Drops the frame that was asked for. */
  stop(): void;
};

function applied(before: MarketState, waiting: WaitingDelta): MarketState {
  const { delta, whole = [], receivedAt, changedAt, version } = waiting;
  const after = withDelta(before, delta, receivedAt);
  const stocks = whole.length === 0 ? after.stocks : withWhole(after.stocks, whole);
  return { ...after, stocks, changedAt, ...(version === undefined ? {} : { version }) };
}

/**
 * A stock that came from another thread, built as those here are. The engine gives what it parsed or cloned forms of
 * its own, and merging patches into those takes five times as long, every second.
 */
const builtHere = (stock: Stock): Stock => ({ ...emptyStock(stock.code), ...stock });

function withWhole(before: MarketState['stocks'], whole: Iterable<Stock>): MarketState['stocks'] {
  const stocks = new Map(before);
  for (const stock of whole) stocks.set(stock.code, builtHere(stock));
  return stocks;
}

/**
 * Collects deltas and shows them together, once per animation frame; nothing is shown while the window is hidden.
 * Deltas before the first state are dropped.
 */
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

/** Runs with the next animation frame, or when none comes; the returned function cancels it. */
function nextFrame(run: () => void): () => void {
  const frame = requestAnimationFrame(run);
  const timer = setTimeout(run, FRAME_LIMIT_MS);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
