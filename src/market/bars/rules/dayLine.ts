import { MINUTE_MS } from '#lib/units.ts';
import {
  epochMs,
  list,
  map,
  number,
  or,
  orNull,
  readBy,
  text,
  where,
  type Wire,
} from '#lib/contract/fields.ts';
import { always, object } from '#lib/contract/objects.ts';
import { readNumber } from '#lib/read.ts';
import { minuteOfKey } from '#market/rules/localTime.ts';
import type { Stock } from '#market/rules/stock.ts';
import { formatNumber } from '#texts/format.ts';
import { moments } from './barsAnswer.ts';
import { DAY_LINE_SLOT_MINUTES } from './bars.ts';

export type DayLine = Wire<typeof dayLine>;

export type DayLinesAnswer = Wire<typeof dayLinesAnswer>;

/** `closes`: the last price of each slot from 10:00 (opening auction included), AUD; null without one. */
export const dayLine = always(
  object({
    previousClose: orNull(number),
    closes: readBy(list(orNull(number)), (value): (number | null)[] =>
      Array.isArray(value) ? value.slice(0, DAY_LINE_SLOTS).map(readNumber) : [],
    ),
  }),
);

export const dayLinesAnswer = object({
  date: or(text, ''),
  from: or(epochMs, 0),
  slotMinutes: or(
    where(number, (minutes) => minutes > 0),
    DAY_LINE_SLOT_MINUTES,
  ),
  lines: map(dayLine),
  unknown: list(moments),
});

const OPEN_MINUTE = 600;
/** The line ends at 16:30, because the last trades follow the closing auction. */
export const DAY_LINE_SLOTS = 78;

/** The first slot includes the opening auction, the last one everything later. */
export function slotOf(key: number): number {
  const slot = Math.floor((minuteOfKey(key) - OPEN_MINUTE) / DAY_LINE_SLOT_MINUTES);
  return Math.min(Math.max(slot, 0), DAY_LINE_SLOTS - 1);
}

export function putClose(closes: (number | null)[], slot: number, close: number): void {
  while (closes.length < slot) closes.push(null);
  closes[slot] = close;
}

type DaySlots = Pick<DayLinesAnswer, 'from' | 'slotMinutes'>;

/**
 * Extends a line by a stock's present figures.
 * @param quoteTime epoch ms on the market's clock, less the source's delay
 * @returns the identical line if nothing changed
 */
export function extendDayLine(
  line: DayLine,
  { last, volume }: Pick<Stock, 'last' | 'volume'>,
  { from, slotMinutes }: DaySlots,
  quoteTime: number,
): DayLine {
  if (last === null || volume === 0 || quoteTime < from - MINUTE_MS) return line;
  const slot = Math.min(
    Math.max(0, Math.floor((quoteTime - from) / (slotMinutes * MINUTE_MS))),
    DAY_LINE_SLOTS - 1,
  );
  if (slot < line.closes.length - 1 || line.closes[slot] === last) return line;
  const closes = [...line.closes];
  putClose(closes, slot, last);
  return { ...line, closes };
}

export function dayText({
  last,
  low,
  high,
  change_percent: change,
}: Pick<Stock, 'last' | 'low' | 'high' | 'change_percent'>): string {
  if (last === null || change === null) return 'No trade today';
  const size = `${formatNumber(Math.abs(change), 1)}%`;
  const moved = Math.abs(change) < 0.05 ? 'Unchanged' : change > 0 ? `Up ${size}` : `Down ${size}`;
  const reached = [
    ...(low === null ? [] : [`low ${formatNumber(low, 3)}`]),
    ...(high === null ? [] : [`high ${formatNumber(high, 3)}`]),
  ];
  return [`${moved} today`, ...reached].join(', ');
}
