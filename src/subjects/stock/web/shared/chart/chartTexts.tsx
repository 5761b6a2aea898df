import type { BarColumns, ChartTimeframe } from '#market/bars/rules/bars.ts';
import { type ChartData, knownFigures, type ChartMark } from '#market/bars/rules/chart.ts';
import {
  formatDate,
  formatNumber,
  formatShort,
  formatShortDate,
  formatSigned,
  formatTime,
} from '#texts/format.ts';
import { priceStep } from '#market/rules/priceStep.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { isDated, BAR_MS, placeMarks, layOut } from './chartSlots.ts';
import { zoneMark } from '#web/shared/zoneMark.ts';
import type { ReactNode } from 'react';
import { type AverageId, AVERAGES, averageAt, type ChartAverage } from '#market/bars/rules/averages.ts';
import type { StudyLine, StudyLineId } from '#market/bars/rules/studies.ts';

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

const isFine = (price: number): boolean => priceStep(price) < 0.01 || hasTenths(price);

export const decimalsOf = (prices: readonly number[]): number => (prices.some(isFine) ? 3 : 2);

/** Decimals of all prices in a chart: three if a price has or could have tenths of a cent, otherwise two. */
export const priceDecimals = ({ open, high, low, close }: BarColumns): number =>
  Math.max(...[low, close, high, open].map(decimalsOf));

const monthFormat = new Intl.DateTimeFormat('en-AU', { timeZone: 'UTC', month: 'long', year: 'numeric' });
const iso = (time: number): string => new Date(time).toISOString().slice(0, 10);

/**
 * The time of a bar in Sydney, with the zone if the local clock differs: '10:42' on the newest day, otherwise '18 Nov
 * 10:42', 'Thursday 19 November 2026', 'November 2026'.
 */
export function barTimeText(time: number, tf: ChartTimeframe, newest: number): string {
  if (tf === 'M') return monthFormat.format(time);
  if (tf === 'W') return `Week of ${formatDate(iso(time))}`;
  if (isDated(tf)) return formatDate(iso(time));
  const [date, today] = [sydneyDate(time), sydneyDate(newest)];
  const text = date === today ? formatTime(time) : `${formatShortDate(date, today)} ${formatTime(time)}`;
  return text + zoneMark(time);
}

export type BarValues = {
  when: string;
  open: string;
  high: string;
  low: string;
  close: string;
  volume: string;
  /** Change from the previous bar's close; null for the first bar. */
  change: { text: string; direction: 'up' | 'down' | 'flat' } | null;
};

function changeOf(before: number | undefined, close: number, decimals: number): BarValues['change'] {
  if (before === undefined || before <= 0) return null;
  const change = close - before;
  const direction = Math.abs(change) < 1e-9 ? 'flat' : change > 0 ? 'up' : 'down';
  return {
    text: `${formatSigned(change, decimals)} (${formatSigned((change / before) * 100, 2)}%)`,
    direction,
  };
}

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

export function barSentence(values: BarValues, marks: readonly string[]): string {
  const change = values.change === null ? '' : ` Change ${values.change.text}.`;
  const notes = marks.length > 0 ? ` ${marks.join('; ')}.` : '';
  return `${values.when}: open ${values.open}, high ${values.high}, low ${values.low}, close ${values.close}, volume ${values.volume}.${change}${notes}`;
}

/** A line that is drawn over the bars or in a pane below them. */
type LineId = AverageId | StudyLineId;

/** Titles of study lines, and the average whose colour, width and dashes each has. */
const STUDY_LOOKS = {
  rsi: { title: 'RSI 14', as: 'sma50' },
  macd: { title: 'MACD', as: 'sma20' },
  signal: { title: 'Signal', as: 'ema50' },
  histogram: { title: 'Histogram', as: 'sma20' },
} as const satisfies Record<StudyLineId, { title: string; as: AverageId }>;

const isStudyLine = (id: LineId): id is StudyLineId => id in STUDY_LOOKS;

export const lookOf = (id: LineId) => AVERAGES[isStudyLine(id) ? STUDY_LOOKS[id].as : id];

export function AverageLine({ id }: { id: LineId }): ReactNode {
  const { kind, length } = lookOf(id);
  return <span className="average-line" data-kind={kind} data-length={length} aria-hidden="true" />;
}

/** Prices below this many AUD have three decimals. */
const FINE_BELOW = 1;

/** The value of an average: '46.21', below a dollar '0.412'. @param decimals of the chart's prices */
export const averageText = (value: number | null, decimals: number): string =>
  formatNumber(value, value !== null && value < FINE_BELOW ? 3 : decimals);

const NAMES = { sma: 'Simple moving average', ema: 'Exponential moving average' } as const;

export function averageName({ id }: ChartAverage): string {
  const { kind, length } = AVERAGES[id];
  return `${NAMES[kind]} of the last ${length} closes`;
}

export const averageTitle = ({ id }: { id: LineId }): string =>
  isStudyLine(id) ? STUDY_LOOKS[id].title : AVERAGES[id].title;

/** Whether an average needs more bars than exist. */
const isShort = ({ first }: Pick<ChartAverage, 'first'>, { bars, hasMore }: ChartData): boolean =>
  first >= bars.time.length && hasMore !== true;

export function averageNow(average: ChartAverage, data: ChartData, decimals: number): string {
  const count = data.bars.time.length;
  if (isShort(average, data)) return `too few bars (${count} available)`;
  const value = averageAt(average, count - 1);
  return value === null ? 'loading earlier bars' : averageText(value, decimals);
}

/** An average at a bar: '46.21', 'too few bars', or a dash if only this bar has too few before it. */
export type AverageValue = { id: LineId; title: string; value: string };

/** The value of an average or study line at a bar. The RSI has one decimal, and the MACD one more than prices. */
export function lineText(line: ChartAverage | StudyLine, bar: number, decimals: number): string {
  const value = averageAt(line, bar);
  if (!isStudyLine(line.id)) return averageText(value, decimals);
  return formatNumber(
    value !== null && Number.isNaN(value) ? null : value,
    line.id === 'rsi' ? 1 : decimals + 1,
  );
}

export const linesOf = ({ averages = [], studies = [] }: ChartData) => [...averages, ...studies];

export const averageValues = (data: ChartData, bar: number, decimals: number): AverageValue[] =>
  linesOf(data).map((line) => ({
    id: line.id,
    title: averageTitle(line),
    value: isShort(line, data) ? 'too few bars' : lineText(line, bar, decimals),
  }));

export const MARK_NAMES: Readonly<Record<ChartMark['kind'], string>> = {
  announcement: 'Announcement',
  sensitive: 'Price sensitive',
  auction: 'Auction',
  trigger: 'Alert',
  entry: 'Entry',
  exit: 'Exit',
  level: 'Level',
  correction: 'Correction',
};

/** Text of a mark that cannot be drawn as a shape. The letters are those of `MARK_STYLES`. */
export const MARK_SIGNS: Readonly<Record<ChartMark['kind'], string>> = {
  announcement: 'N',
  sensitive: '$',
  auction: 'A',
  trigger: '▼',
  entry: '▲ Entry',
  exit: '▼ Exit',
  level: '●',
  correction: 'Corrected',
};

const shortMark = ({ kind, text, time }: ChartMark, tf: ChartData['tf']): string =>
  `${isDated(tf) ? '' : `${formatTime(time)} `}${MARK_NAMES[kind]}: ${text}`;

export function markTexts(data: ChartData, bar: number): string[] {
  const time = data.bars.time[bar];
  if (time === undefined) return [];
  const texts: string[] = data.partial?.includes(time)
    ? ['The start of this bar was not received, so the open is unknown']
    : [];
  if (data.marks && data.marks.length > 0) {
    const slots = layOut(data.bars, data.tf, []);
    for (const { slot, mark } of placeMarks(slots, data)) {
      if (slots.bar[slot] === bar) texts.push(shortMark(mark, data.tf));
    }
  }
  if (isDated(data.tf)) return texts;
  const end = time + BAR_MS[data.tf];
  for (const { from, until, title } of data.shades ?? []) {
    if (from <= end && until >= time) texts.push(`${title} ${formatTime(from)}–${formatTime(until)}`);
  }
  for (const { from, until } of data.unknown) {
    if (from <= end && until >= time) texts.push(`No data ${formatTime(from)}–${formatTime(until)}`);
  }
  return texts;
}
