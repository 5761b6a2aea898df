import { type ReadonlySignal, signal } from '@preact/signals-react';
import type {
  BarColumns,
  BarsAnswer,
  ChartTimeframe,
  QuoteInBars,
  TimeSpan,
} from '#market/bars/rules/bars.ts';
import { createBarExtender, type LiveBars } from '#market/bars/rules/extendBars.ts';
import type { Adjustment } from '#market/rules/splitAdjustment.ts';
import type { Stock } from '#market/rules/stock.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';

/** Nobody reads further back by hand, and a chart of more takes its time to draw. */
const MAX_HELD = 12_000;
const PAGE = 800;
/** A stream that is behind an answer has caught up by then. */
const CATCH_UP_MS = 10_000;
/** After an older page that failed, so that scrolling does not ask with every step. */
const RETRY_AFTER_MS = 5000;

export type ChartBarsState = {
  /** `ready` stays while newer bars are asked for: what is shown is replaced, not taken away. */
  status: 'loading' | 'ready' | 'failed';
  bars: BarColumns;
  /** The times of bars of which more than the close is unknown. */
  partial: readonly number[];
  unknown: readonly TimeSpan[];
  knownSince: number | null;
  hasMore: boolean;
  adjustments: readonly Adjustment[];
  /** A sentence of the server about a stock that is not in the live list. */
  note: string | null;
  /** Why the first bars did not come; null when they did. */
  problem: unknown;
};

export type ChartBarsDeps = {
  /** @throws what is to be shown when the first page fails */
  fetch(before: number | null, limit: number): Promise<BarsAnswer>;
  /** ms, of a monotonic clock. */
  elapsed(): number;
  /** Calls back after a delay in ms. @returns a function that cancels it */
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

/** How many bars are before a time. */
function countBefore({ time }: BarColumns, at: number): number {
  const index = time.findIndex((other) => other >= at);
  return index < 0 ? time.length : index;
}

/** The newest bars of a stock, kept going by the stream, and older ones as they are asked for. */
export class ChartBars {
  readonly #tf: ChartTimeframe;
  readonly #deps: ChartBarsDeps;
  readonly #state = signal<ChartBarsState>(LOADING);
  readonly state: ReadonlySignal<ChartBarsState> = this.#state;
  readonly #extend = createBarExtender();
  #quote: QuoteInBars | null = null;
  #asked = 0;
  #placedAt = Number.NEGATIVE_INFINITY;
  /** Takes the last quote again that showed fewer shares than the bars hold, if no other comes. */
  #dropRetry: (() => void) | null = null;
  /** The date of the last quote that might have been of an earlier day, YYYY-MM-DD. */
  #askedOf: string | null = null;
  #isStopped = false;
  /** The bars that are held are of another era than those that are asked for. */
  #isOutdated = false;
  #restarts = 0;
  #isReadingOlder = false;
  #olderFailedAt = Number.NEGATIVE_INFINITY;

  constructor(tf: ChartTimeframe, deps: ChartBarsDeps) {
    this.#tf = tf;
    this.#deps = deps;
  }

  /** Asks for the newest bars; those that were read further back stay where the new ones reach them. */
  readonly refresh = async (): Promise<void> => {
    const question = ++this.#asked;
    if (this.#state.peek().status === 'failed') this.#state.value = LOADING;
    try {
      const answer = await this.#deps.fetch(null, PAGE);
      if (!this.#isStopped && question === this.#asked) this.#place(answer);
    } catch (problem) {
      if (this.#isStopped || question !== this.#asked) return;
      // Bars that are shown go on with the stream; they are asked for again when it comes back.
      if (this.#isOutdated || this.#state.peek().status !== 'ready')
        this.#state.value = { ...LOADING, status: 'failed', problem };
    }
  };

  /** Asks for the newest bars of another market, session or moment: none of those that are held belongs to them. */
  readonly restart = (): void => {
    this.#restarts += 1;
    this.#isOutdated = true;
    void this.refresh();
  };

  /** Asks for the bars before the first, unless there are none or they are on their way. */
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
      // The bars that are shown are no worse for it: the next scroll asks again.
      this.#olderFailedAt = this.#deps.elapsed();
    } finally {
      this.#isReadingOlder = false;
    }
  };

  /** Goes on with a quote of the stream. @param quoteTime epoch ms on the market's clock, less the source's delay */
  readonly take = (stock: Stock, quoteTime: number): void => {
    const held = this.#state.peek();
    this.#dropRetry?.();
    this.#dropRetry = null;
    if (held.status !== 'ready' || this.#isOutdated) return;
    if (isBehind(this.#quote, stock, quoteTime)) {
      const rest = this.#placedAt + CATCH_UP_MS - this.#deps.elapsed();
      // The source took shares back: trades were cancelled. A quiet stock may get no other quote.
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

  /** Asks once a day whether a quote like the last one of an earlier day is of that day. */
  #askOfDay(date: string): void {
    if (this.#askedOf === date) return;
    this.#askedOf = date;
    void this.refresh();
  }

  /** Asks for bars that were corrected in a way that the stream does not tell. */
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
    // Newer bars took their place meanwhile.
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
