import { type ReadonlySignal, signal } from '@preact/signals-react';
import type {
  BarColumns,
  BarsAnswer,
  ChartTimeframe,
  QuoteInBars,
  TimeSpan,
} from '../../../../../market/bars/rules/bars.ts';
import { createBarExtender, type LiveBars } from '../../../../../market/bars/rules/extendBars.ts';
import type { Stock } from '../../../../../market/rules/stock.ts';
import { sydneyDate } from '../../../../../market/rules/sydneyTime.ts';

/** Nobody reads further back by hand, and a chart of more takes its time to draw. */
const MAX_HELD = 12_000;
const PAGE = 800;
/** After an older page that failed, so that scrolling does not ask with every step. */
const RETRY_AFTER_MS = 5000;

export type ChartBarsState = {
  /** `ready` stays while newer bars are asked for: what is shown is replaced, not taken away. */
  status: 'loading' | 'ready' | 'failed';
  bars: BarColumns;
  unknown: readonly TimeSpan[];
  knownSince: number | null;
  hasMore: boolean;
  /** A sentence of the server, as of a stock that is not listed any more. */
  note: string | null;
  /** Why the first bars did not come; null when they did. */
  problem: unknown;
};

export type ChartBarsDeps = {
  /** @throws what is to be shown when the first page fails */
  fetch(before: number | null, limit: number): Promise<BarsAnswer>;
  /** ms, of a monotonic clock. */
  elapsed(): number;
};

export type ChartBars = {
  state: ReadonlySignal<ChartBarsState>;
  /** Asks for the newest bars; those that were read further back stay where the new ones reach them. */
  refresh(): Promise<void>;
  /** Asks for the newest bars of another market, session or moment: none of those that are held belongs to them. */
  restart(): void;
  /** Asks for the bars before the first, unless there are none or they are on their way. */
  older(): Promise<void>;
  /** Goes on with a quote of the stream. @param quoteTime epoch ms on the market's clock, less the source's delay */
  take(stock: Stock, quoteTime: number): void;
  stop(): void;
};

const NO_BARS: BarColumns = { time: [], open: [], high: [], low: [], close: [], volume: [] };
const LOADING: ChartBarsState = {
  status: 'loading',
  bars: NO_BARS,
  unknown: [],
  knownSince: null,
  hasMore: false,
  note: null,
  problem: null,
};

const joined = (before: BarColumns, count: number, after: BarColumns): BarColumns => ({
  time: [...before.time.slice(0, count), ...after.time],
  open: [...before.open.slice(0, count), ...after.open],
  high: [...before.high.slice(0, count), ...after.high],
  low: [...before.low.slice(0, count), ...after.low],
  close: [...before.close.slice(0, count), ...after.close],
  volume: [...before.volume.slice(0, count), ...after.volume],
});

/** How many bars are before a time. */
function countBefore({ time }: BarColumns, at: number): number {
  const index = time.findIndex((other) => other >= at);
  return index < 0 ? time.length : index;
}

/** The newest bars of a stock, kept going by the stream, and older ones as they are asked for. */
export function createChartBars(tf: ChartTimeframe, deps: ChartBarsDeps): ChartBars {
  const state = signal<ChartBarsState>(LOADING);
  const extend = createBarExtender();
  let quote: QuoteInBars | null = null;
  let asked = 0;
  let isStopped = false;
  /** The bars that are held are of another era than those that are asked for. */
  let isOutdated = false;
  let restarts = 0;
  let isReadingOlder = false;
  let olderFailedAt = Number.NEGATIVE_INFINITY;

  function place(answer: BarsAnswer): void {
    const held = state.peek();
    const first = answer.bars.time[0];
    const reaches = first !== undefined && (held.bars.time.at(-1) ?? Number.NEGATIVE_INFINITY) >= first;
    const kept = reaches && !isOutdated ? countBefore(held.bars, first) : 0;
    quote = answer.quote;
    isOutdated = false;
    state.value = {
      status: 'ready',
      bars: kept === 0 ? answer.bars : joined(held.bars, kept, answer.bars),
      unknown: kept === 0 ? answer.unknown : mergeSpans(held.unknown, answer.unknown),
      knownSince: answer.knownSince,
      hasMore: kept === 0 ? answer.hasMore : held.hasMore,
      note: answer.note,
      problem: null,
    };
  }

  async function refresh(): Promise<void> {
    const question = ++asked;
    if (state.peek().status === 'failed') state.value = LOADING;
    try {
      const answer = await deps.fetch(null, PAGE);
      if (!isStopped && question === asked) place(answer);
    } catch (problem) {
      if (isStopped || question !== asked) return;
      // Bars that are shown go on with the stream; they are asked for again when it comes back.
      if (isOutdated || state.peek().status !== 'ready')
        state.value = { ...LOADING, status: 'failed', problem };
    }
  }

  async function older(): Promise<void> {
    const { status, bars, hasMore } = state.peek();
    const before = bars.time[0];
    if (status !== 'ready' || isOutdated || !hasMore || isReadingOlder || before === undefined) return;
    if (bars.time.length >= MAX_HELD || deps.elapsed() - olderFailedAt < RETRY_AFTER_MS) return;
    isReadingOlder = true;
    const since = restarts;
    try {
      const answer = await deps.fetch(before, PAGE);
      if (!isStopped && since === restarts) prepend(answer, before);
    } catch {
      // The bars that are shown are no worse for it: the next scroll asks again.
      olderFailedAt = deps.elapsed();
    } finally {
      isReadingOlder = false;
    }
  }

  function prepend(answer: BarsAnswer, before: number): void {
    const held = state.peek();
    // Newer bars took their place meanwhile.
    if (held.bars.time[0] !== before) return;
    const count = countBefore(answer.bars, before);
    state.value = {
      ...held,
      bars: joined(answer.bars, count, held.bars),
      unknown: mergeSpans(answer.unknown, held.unknown),
      knownSince: answer.knownSince ?? held.knownSince,
      hasMore: answer.hasMore && count > 0,
    };
  }

  function take(stock: Stock, quoteTime: number): void {
    const held = state.peek();
    if (held.status !== 'ready' || isOutdated || isBehind(quote, stock, quoteTime)) return;
    const live: LiveBars = { tf, columns: held.bars, quote };
    const next = extend(live, stock, quoteTime);
    if (next === live) return;
    quote = next.quote;
    if (next.columns !== held.bars) state.value = { ...held, bars: next.columns };
  }

  return {
    state,
    refresh,
    restart() {
      restarts += 1;
      isOutdated = true;
      void refresh();
    },
    older,
    take,
    stop() {
      isStopped = true;
    },
  };
}

/** Whether the stream has not come yet to the quote that the server's bars hold. */
function isBehind(quote: QuoteInBars | null, stock: Stock, quoteTime: number): boolean {
  if (quote === null || quote.volume === null || stock.volume === null) return false;
  return stock.volume < quote.volume && quote.date === sydneyDate(quoteTime);
}

/** Both, in order and each once: a stretch that two answers share begins at the same moment. */
function mergeSpans(before: readonly TimeSpan[], after: readonly TimeSpan[]): readonly TimeSpan[] {
  const byStart = new Map([...before, ...after].map((span) => [span.from, span]));
  return byStart.size === before.length && after.length === 0
    ? before
    : [...byStart.values()].sort((a, b) => a.from - b.from);
}
