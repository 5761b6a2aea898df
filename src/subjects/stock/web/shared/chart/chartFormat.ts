import type { BarColumns, ChartTimeframe } from '#market/bars/rules/bars.ts';
import { type ChartData, knownFigures } from '#market/bars/rules/chart.ts';
import {
  formatDate,
  formatNumber,
  formatShort,
  formatShortDate,
  formatSigned,
  formatTime,
} from '#texts/format.ts';
import { priceStep } from '#market/rules/priceStep.ts';
import { sydneyDate } from '#market/rules/sydneyTime.ts';
import { isDated } from './axisTime.ts';
import { zoneMark } from '#web/shared/zoneMark.ts';

export const TIMEFRAME_NAMES: Readonly<Record<ChartTimeframe, { short: string; long: string }>> = {
  1: { short: '1m', long: '1 minute' },
  5: { short: '5m', long: '5 minutes' },
  15: { short: '15m', long: '15 minutes' },
  60: { short: '1h', long: '1 hour' },
  D: { short: 'D', long: 'days' },
  W: { short: 'W', long: 'weeks' },
  M: { short: 'M', long: 'months' },
};

const hasTenths = (price: number): boolean => Math.abs(price * 100 - Math.round(price * 100)) > 1e-6;

/** Decimals that all prices of a chart are written with: two, or three where a price has or could have tenths of a cent. */
export function priceDecimals(bars: BarColumns): number {
  const isFine = (price: number): boolean => priceStep(price) < 0.01 || hasTenths(price);
  return bars.low.some(isFine) || bars.close.some(isFine) || bars.high.some(isFine) || bars.open.some(isFine)
    ? 3
    : 2;
}

const monthFormat = new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const iso = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** When a bar was, in Sydney, which is said where the clock here shows another time: '10:42' of the newest day, '18 Nov 10:42' of another, 'Thursday 19 November 2026', 'November 2026'. */
export function barTimeText(time: number, tf: ChartTimeframe, newest: number): string {
  if (tf === 'M') return monthFormat.format(time);
  if (tf === 'W') return `Week of ${formatDate(iso(time))}`;
  if (isDated(tf)) return formatDate(iso(time));
  const [date, today] = [sydneyDate(time), sydneyDate(newest)];
  const text = date === today ? formatTime(time) : `${formatShortDate(date, today)} ${formatTime(time)}`;
  return text + zoneMark(time);
}

/** One bar in words and numbers, as the legend shows it. */
export type BarValues = {
  when: string;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
  /** Against the close of the bar before it; null for the first. */
  change: { text: string; direction: 'up' | 'down' | 'flat' } | null;
};

function changeOf(before: number | undefined, close: number, decimals: number): BarValues['change'] {
  if (before === undefined || before <= 0) return null;
  const change = close - before;
  const direction = Math.abs(change) < 1e-9 ? 'flat' : change > 0 ? 'up' : 'down';
  return {
    text: `${formatSigned(change, decimals)} (${formatSigned((change / before) * 100, 2)} %)`,
    direction,
  };
}

/** The values of a bar; null when there is no such bar. */
export function barValues(data: ChartData, index: number, decimals: number): BarValues | null {
  const { bars, tf } = data;
  const time = bars.time[index];
  const close = bars.close[index];
  if (time === undefined || close === undefined) return null;
  const { open, high, low, volume } = knownFigures(data, index);
  const price = (value: number | null | undefined): string => formatNumber(value, decimals);
  return {
    when: barTimeText(time, tf, bars.time.at(-1) ?? time),
    open: price(open),
    high: price(high),
    low: price(low),
    close: price(close),
    volume: volume === null ? formatNumber(volume, 0) : formatShort(volume),
    change: changeOf(bars.close[index - 1], close, decimals),
  };
}

/** A bar as a sentence for a screen reader. */
export function barSentence(values: BarValues, marks: readonly string[]): string {
  const change = values.change === null ? '' : ` Change ${values.change.text}.`;
  const notes = marks.length > 0 ? ` ${marks.join('; ')}.` : '';
  return `${values.when}: open ${values.open}, high ${values.high}, low ${values.low}, close ${values.close}, volume ${values.volume}.${change}${notes}`;
}
