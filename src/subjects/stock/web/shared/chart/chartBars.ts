import { type ReadonlySignal, signal, computed, effect, untracked } from '@preact/signals-react';
import type { BarColumns, ChartTimeframe, TimeSpan } from '#market/bars/rules/bars.ts';
import { type BarsAnswer, barsAnswer, type QuoteInBars } from '#market/bars/rules/barsAnswer.ts';
import { createBarExtender, type LiveBars } from '#market/bars/rules/extendBars.ts';
import type { Adjustment } from '#market/rules/splitAdjustment.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { useEffect, useMemo, useRef } from 'react';
import { readerOf, request } from '#web/api/client.ts';
import { isStreamLost, stocks } from '#web/live/market.ts';
import { marketEpoch, quoteTime, useNewEpoch } from '#web/live/marketEpoch.ts';
import { onReconnect } from '#web/shared/onReconnect.ts';

const MAX_HELD = 12_000;
const PAGE = 800;
const CATCH_UP_MS = 10_000;
/** Pause after a failed older page, ms, so that scrolling does not request it with every step. */
const RETRY_AFTER_MS = 5000;

export type ChartBarsState = {
  /** Stays `ready` while newer bars load, because the shown bars remain until they are replaced. */
  status: 'loading' | 'ready' | 'failed';
  bars: BarColumns;
  /** Times of bars whose close alone is known. */
  partial: readonly number[];
  unknown: readonly TimeSpan[];
  knownSince: number | null;
  hasMore: boolean;
  adjustments: readonly Adjustment[];
  /** The server's sentence on a stock that is not in the live list. */
  note: string | null;
  problem: unknown;
};

type ChartBarsDeps = {
  /** @throws the error to show if the first page fails */
  fetch(before: number | null, limit: number): Promise<BarsAnswer>;
  /** Monotonic clock, ms. */
  elapsed(): number;
  /** Calls back after a delay. @returns a function that cancels it */
  later(ms: number, run: () => void): () => void;
};

const NO_BARS: BarColumns = { time: [], open: [], high: [], low: [], close: [], volume: [] };
const LOADING: ChartBarsState = {
  status: 'loading',
  bars: NO_BARS,
  partial: [],
  unknown: [],
  knownSince: null,
  hasMore: false,
  adjustments: [],
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

function countBefore({ time }: BarColumns, at: number): number {
  const index = time.findIndex((other) => other >= at);
  return index < 0 ? time.length : index;
}

export class ChartBars {
  readonly #tf: ChartTimeframe;
  readonly #deps: ChartBarsDeps;
  readonly #state = signal<ChartBarsState>(LOADING);
  readonly state: ReadonlySignal<ChartBarsState> = this.#state;
  readonly #extend = createBarExtender();
  #quote: QuoteInBars | null = null;
  #asked = 0;
  #placedAt = Number.NEGATIVE_INFINITY;
  /** Cancels the retry of a quote that had fewer shares than the bars. */
  #dropRetry: (() => void) | null = null;
  #askedOf: string | null = null;
  #isStopped = false;
  /** True if the bars are from another epoch than the one being loaded. */
  #isOutdated = false;
  #restarts = 0;
  #isReadingOlder = false;
  #olderFailedAt = Number.NEGATIVE_INFINITY;

  /** @param known a recent answer, shown until the next one */
  constructor(tf: ChartTimeframe, deps: ChartBarsDeps, known?: BarsAnswer) {
    this.#tf = tf;
    this.#deps = deps;
    if (known) this.#place(known);
  }

  readonly refresh = async (): Promise<void> => {
    const question = ++this.#asked;
    if (this.#state.peek().status === 'failed') this.#state.value = LOADING;
    try {
      const answer = await this.#deps.fetch(null, PAGE);
      if (!this.#isStopped && question === this.#asked) this.#place(answer);
    } catch (problem) {
      if (this.#isStopped || question !== this.#asked) return;
      // Bars that are shown continue with the stream.
      if (this.#isOutdated || this.#state.peek().status !== 'ready')
        this.#state.value = { ...LOADING, status: 'failed', problem };
    }
  };

  readonly restart = (): void => {
    this.#restarts += 1;
    this.#isOutdated = true;
    void this.refresh();
  };

  readonly older = async (): Promise<void> => {
    const { status, bars, hasMore } = this.#state.peek();
    const before = bars.time[0];
    if (status !== 'ready' || this.#isOutdated || !hasMore || before === undefined) return;
    if (this.#isReadingOlder || bars.time.length >= MAX_HELD) return;
    if (this.#deps.elapsed() - this.#olderFailedAt < RETRY_AFTER_MS) return;
    this.#isReadingOlder = true;
    const since = this.#restarts;
    try {
      const answer = await this.#deps.fetch(before, PAGE);
      if (!this.#isStopped && since === this.#restarts) this.#prepend(answer, before);
    } catch {
      // The shown bars stay valid, and the next scroll retries.
      this.#olderFailedAt = this.#deps.elapsed();
    } finally {
      this.#isReadingOlder = false;
    }
  };

  /** Applies a quote of the stream. @param quoteTime epoch ms by the market's clock, minus the source's delay */
  readonly take = (stock: Stock, quoteTime: number): void => {
    const held = this.#state.peek();
    this.#dropRetry?.();
    this.#dropRetry = null;
    if (held.status !== 'ready' || this.#isOutdated) return;
    if (isBehind(this.#quote, stock, quoteTime)) {
      const rest = this.#placedAt + CATCH_UP_MS - this.#deps.elapsed();
      // The source cancelled trades. A quiet stock may get no other quote, so this one is retried later.
      if (rest <= 0) this.#correct();
      else this.#dropRetry = this.#deps.later(rest, () => this.take(stock, quoteTime));
      return;
    }
    const live: LiveBars = { tf: this.#tf, columns: held.bars, partial: held.partial, quote: this.#quote };
    const next = this.#extend(live, stock, quoteTime);
    if (next === live) return;
    if (next.quote === live.quote) {
      this.#askOfDay(sydneyDate(quoteTime));
      return;
    }
    this.#quote = next.quote;
    if (next.columns !== held.bars) this.#state.value = { ...held, bars: next.columns };
    if (next.isOutdated) this.#correct();
  };

  readonly stop = (): void => {
    this.#isStopped = true;
    this.#dropRetry?.();
  };

  /** Asks once a day whether a quote that equals the last one of an earlier day belongs to that day. */
  #askOfDay(date: string): void {
    if (this.#askedOf === date) return;
    this.#askedOf = date;
    void this.refresh();
  }

  /** Reloads bars after a correction that the stream does not report. */
  #correct(): void {
    this.#placedAt = this.#deps.elapsed();
    void this.refresh();
  }

  #place(answer: BarsAnswer): void {
    const held = this.#state.peek();
    const first = answer.bars.time[0];
    const reaches = first !== undefined && (held.bars.time.at(-1) ?? Number.NEGATIVE_INFINITY) >= first;
    const kept = reaches && !this.#isOutdated ? countBefore(held.bars, first) : 0;
    const earlier = held.partial.filter((time) => kept > 0 && time < (first ?? time));
    this.#quote = answer.quote;
    this.#placedAt = this.#deps.elapsed();
    this.#isOutdated = false;
    this.#state.value = {
      status: 'ready',
      bars: kept === 0 ? answer.bars : joined(held.bars, kept, answer.bars),
      partial: [...earlier, ...answer.partial],
      unknown: kept === 0 ? answer.unknown : mergeSpans(held.unknown, answer.unknown),
      knownSince: answer.knownSince,
      hasMore: kept === 0 ? answer.hasMore : held.hasMore,
      adjustments: answer.adjustments,
      note: answer.note,
      problem: null,
    };
  }

  #prepend(answer: BarsAnswer, before: number): void {
    const held = this.#state.peek();
    // Newer bars replaced these while the older page loaded.
    if (held.bars.time[0] !== before) return;
    const count = countBefore(answer.bars, before);
    this.#state.value = {
      ...held,
      bars: joined(answer.bars, count, held.bars),
      partial: [...answer.partial.filter((time) => time < before), ...held.partial],
      unknown: mergeSpans(answer.unknown, held.unknown),
      knownSince: answer.knownSince ?? held.knownSince,
      hasMore: answer.hasMore && count > 0,
    };
  }
}

/** Whether the stream has not yet reached the quote in the server's bars. */
function isBehind(quote: QuoteInBars | null, stock: Stock, quoteTime: number): boolean {
  if (quote === null || quote.volume === null || stock.volume === null) return false;
  return stock.volume < quote.volume && quote.date === sydneyDate(quoteTime);
}

/** Sorted and without duplicates: a span that is in two answers starts at the same time. */
function mergeSpans(before: readonly TimeSpan[], after: readonly TimeSpan[]): readonly TimeSpan[] {
  const byStart = new Map([...before, ...after].map((span) => [span.from, span]));
  return byStart.size === before.length && after.length === 0
    ? before
    : [...byStart.values()].sort((a, b) => a.from - b.from);
}

/** After being hidden for this time (ms), a window reloads its bars, because it skipped quotes. */
const HIDDEN_MS = 5000;

const MAX_RECENT = 24;
/** Age at which a recent answer is no longer shown, ms. */
const RECENT_MS = 60_000;
/** Delay before a shown recent answer is replaced, ms: holding a key down passes rows without requests. */
const REPLACE_MS = 250;

/** Newest pages of charts that were shown or will probably be shown next, by epoch, stock and timeframe. */
const recent = new Map<string, { answer: BarsAnswer; at: number }>();

const recentKey = (code: string, tf: ChartTimeframe): string => `${marketEpoch.peek()} ${code} ${tf}`;

function recentAnswer(code: string, tf: ChartTimeframe): BarsAnswer | undefined {
  const known = recent.get(recentKey(code, tf));
  return known && performance.now() - known.at < RECENT_MS ? known.answer : undefined;
}

async function fetchBars(symbol: string, tf: ChartTimeframe, before: number | null, limit: number) {
  const key = recentKey(symbol, tf);
  const answer = await request('GET /api/data/bars', {
    query: { symbol, tf, limit, ...(before === null ? {} : { before }) },
    read: readerOf(barsAnswer),
  });
  if (before === null) {
    recent.delete(key);
    recent.set(key, { answer, at: performance.now() });
    for (const oldest of [...recent.keys()].slice(0, -MAX_RECENT)) recent.delete(oldest);
  }
  return answer;
}

/** Loads the bars of a chart that will probably be shown next, unless they are known. */
export function prefetchBars(code: string, tf: ChartTimeframe): void {
  // The chart itself reports a failure once it is shown.
  if (recentAnswer(code, tf) === undefined) fetchBars(code, tf, null, PAGE).catch(() => undefined);
}

/**
 * Passes the stream's quotes to a chart, and the current one when its bars arrive. It runs before the page renders,
 * because a later quote would cost a second render. Returns the stop function.
 */
function followStream(code: string, bars: ChartBars): () => void {
  const isReady = computed(() => bars.state.value.status === 'ready');
  return effect(() => {
    const live = stocks.value.get(code);
    const hasBars = isReady.value;
    untracked(() => live && hasBars && bars.take(live, quoteTime()));
  });
}

/**
 * Reloads bars when the stock joins the live list, for example after a restart of the server, because the earlier
 * answer says that it is missing. Returns the stop function.
 */
function refreshOnListing(code: string, bars: ChartBars): () => void {
  let wasListed = true;
  return effect(() => {
    const isListed = stocks.value.has(code);
    const isNew = isListed && !wasListed;
    wasListed = isListed;
    const { status, note } = bars.state.peek();
    if (isNew && (status === 'failed' || note !== null)) untracked(() => void bars.refresh());
  });
}

/**
 * Reloads bars when the previous close changes, because after a split or consolidation all bars have other prices.
 * Returns the stop function.
 */
function restartOnClose(code: string, bars: ChartBars): () => void {
  let before: number | null = null;
  return effect(() => {
    const close = stocks.value.get(code)?.close ?? null;
    const isOther = close !== null && before !== null && close !== before;
    before = close ?? before;
    if (isOther) untracked(bars.restart);
  });
}

export function useStockBars(code: string, tf: ChartTimeframe): ChartBars {
  const bars = useMemo(() => {
    const deps = {
      fetch: (before: number | null, limit: number) => fetchBars(code, tf, before, limit),
      elapsed: () => performance.now(),
      later(ms: number, run: () => void) {
        const timer = setTimeout(run, ms);
        return () => clearTimeout(timer);
      },
    };
    return new ChartBars(tf, deps, recentAnswer(code, tf));
  }, [code, tf]);
  useEffect(() => {
    const isKnown = bars.state.peek().status === 'ready';
    const timer = isKnown ? setTimeout(() => void bars.refresh(), REPLACE_MS) : undefined;
    if (!isKnown) void bars.refresh();
    return () => {
      clearTimeout(timer);
      bars.stop();
    };
  }, [bars]);
  useEffect(() => followStream(code, bars), [bars, code]);
  useEffect(() => refreshOnListing(code, bars), [bars, code]);
  useEffect(() => restartOnClose(code, bars), [bars, code]);
  useFresh(bars);
  return bars;
}

/** Reloads the bars when the stream may have missed quotes: after a disconnect, a sleep, and in another epoch. */
function useFresh(bars: ChartBars): void {
  const { status } = bars.state.value;
  useEffect(() => {
    if (status === 'failed') onReconnect(bars.refresh);
  }, [bars, status]);

  const isLost = isStreamLost.value;
  const wasLost = useRef(isLost);
  useEffect(() => {
    if (wasLost.current && !isLost) void bars.refresh();
    wasLost.current = isLost;
  }, [bars, isLost]);

  useNewEpoch(bars.restart);

  useEffect(() => {
    let hiddenAt: number | null = document.hidden ? performance.now() : null;
    const changed = (): void => {
      if (document.hidden) hiddenAt = performance.now();
      else if (hiddenAt !== null && performance.now() - hiddenAt > HIDDEN_MS) void bars.refresh();
    };
    document.addEventListener('visibilitychange', changed);
    return () => document.removeEventListener('visibilitychange', changed);
  }, [bars]);
}
