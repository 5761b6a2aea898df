import { MINUTE_MS } from '#lib/units.ts';
import type { DayEventsAnswer } from '#market/auctions/rules/auction.ts';
import { adjustedPrice } from '#market/rules/splitAdjustment.ts';
import type { StockStatus } from '#market/rules/stock.ts';
import { fromSydney, sydneyDate } from '#lib/sydneyTime.ts';
import { formatNumber } from '#texts/format.ts';
import type { BarColumns, ChartTimeframe, TimeSpan } from './bars.ts';
import type { ChartLevel, ChartMark, ChartPath, ChartShade } from './chart.ts';

type AveragedBars = {
  bars: BarColumns;
  unknown: readonly TimeSpan[];
  hasMore: boolean;
  knownSince: number | null;
};

function beginsWhole({ bars, hasMore, knownSince }: AveragedBars): boolean {
  const first = bars.time[0];
  if (first === undefined || hasMore || knownSince === null) return false;
  return knownSince <= fromSydney(sydneyDate(first), 10, 0);
}

/**
 * VWAP through each session of minute bars, with each bar's typical price, (high + low + close) / 3, the
 * usual approximation without single trades. It ends where a session has a gap.
 * @param dayOf the Sydney day of a moment, epoch ms; called for each bar
 * @param today the stated VWAP of the running session, AUD: the last point, so that chart and table agree
 * @returns null for bars of a day and more
 */
export function vwapPath(
  shown: AveragedBars,
  tf: ChartTimeframe,
  today: number | null,
  dayOf: (time: number) => number | string = sydneyDate,
): ChartPath | null {
  if (tf === 'D' || tf === 'W' || tf === 'M') return null;
  const { bars, unknown } = shown;
  const path: ChartPath = { kind: 'vwap', title: 'VWAP', time: [], price: [] };
  let date: number | string = '';
  let value = 0;
  let shares = 0;
  let isWhole = false;
  let gap = 0;
  bars.time.forEach((time, index) => {
    const day = dayOf(time);
    if (day !== date) {
      isWhole = index > 0 || beginsWhole(shown);
      [date, value, shares] = [day, 0, 0];
    }
    while ((unknown[gap]?.from ?? Number.POSITIVE_INFINITY) <= time) {
      if (dayOf(unknown[gap]?.from ?? 0) === day || dayOf(unknown[gap]?.until ?? 0) === day) isWhole = false;
      gap += 1;
    }
    const volume = bars.volume[index] ?? 0;
    value += (((bars.high[index] ?? 0) + (bars.low[index] ?? 0) + (bars.close[index] ?? 0)) / 3) * volume;
    shares += volume;
    if (!isWhole || shares <= 0) return;
    path.time.push(time);
    path.price.push(value / shares);
  });
  if (today !== null && path.time.length > 0 && path.time.at(-1) === bars.time.at(-1)) {
    path.price[path.price.length - 1] = today;
  }
  return path;
}

const HALTS: ReadonlySet<string> = new Set<StockStatus>(['Halted', 'Suspended']);

type ChartNews = { headline: string; time: string; isPriceSensitive: boolean };

export function newsMarks(items: Iterable<ChartNews>): ChartMark[] {
  const marks = new Map<string, ChartMark>();
  for (const { headline, time, isPriceSensitive } of items) {
    const at = Date.parse(time);
    if (Number.isNaN(at)) continue;
    const kind = isPriceSensitive ? 'sensitive' : 'announcement';
    marks.set(`${at} ${headline}`, { kind, time: at, text: headline });
  }
  return [...marks.values()].sort((a, b) => a.time - b.time);
}

/** Chart shades for halts. @param now epoch ms on the market's clock, at which a current halt's shade ends */
export function haltShades(statuses: DayEventsAnswer['statuses'], now: number): ChartShade[] {
  const shades: ChartShade[] = [];
  statuses.forEach(({ time, status }, index) => {
    if (!HALTS.has(status)) return;
    const until = statuses[index + 1]?.time ?? Math.floor(now / MINUTE_MS) * MINUTE_MS;
    if (until > time) shades.push({ from: time, until, title: status });
  });
  return shades;
}

const AUCTION_NAMES = { open: 'Opening auction', close: 'Closing auction' } as const;

export const auctionMarks = (auctions: DayEventsAnswer['auctions']): ChartMark[] =>
  auctions.map(({ time, kind, price, volume }) => ({
    kind: 'auction',
    time,
    price,
    text: volume === null ? AUCTION_NAMES[kind] : `${AUCTION_NAMES[kind]}, ${formatNumber(volume, 0)} shares`,
  }));

export type ChartedCall = {
  entryPrice: number | null;
  targetPrice: number | null;
  stopLevel: number | null;
};

const times = (price: number | null, factor: number): number | null =>
  price === null ? null : adjustedPrice(price, factor);

export const adjustedCall = (
  { entryPrice, targetPrice, stopLevel }: ChartedCall,
  factor: number,
): ChartedCall => ({
  entryPrice: times(entryPrice, factor),
  targetPrice: times(targetPrice, factor),
  stopLevel: times(stopLevel, factor),
});

const CALL_LEVELS = [
  { kind: 'entry', title: 'Entry', priceOf: (call: ChartedCall) => call.entryPrice },
  { kind: 'target', title: 'Target', priceOf: (call: ChartedCall) => call.targetPrice },
  { kind: 'stop', title: 'Stop', priceOf: (call: ChartedCall) => call.stopLevel },
] as const;

/**
 * Entry, target and stop of open calls. Several calls of a stock are numbered, and equal prices form one
 * level with all their numbers.
 * @param calls of one stock, oldest first
 */
export function callLevels(calls: readonly ChartedCall[]): ChartLevel[] {
  return CALL_LEVELS.flatMap(({ kind, title, priceOf }) => {
    const numbers = new Map<number, number[]>();
    calls.forEach((call, index) => {
      const price = priceOf(call);
      if (price === null || price <= 0) return;
      numbers.set(price, [...(numbers.get(price) ?? []), index + 1]);
    });
    return [...numbers].map(([price, of]) => ({
      kind,
      title: calls.length > 1 ? `${title} ${of.join(', ')}` : title,
      price,
    }));
  });
}
