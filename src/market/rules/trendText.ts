import type { Trend } from './stock.ts';

export type TrendWord = 'up' | 'down' | 'flat';

/**
 * The trend in a word (specification, section 4).
 * @param up closes in a row that rose; @param down closes in a row that fell
 */
export const trendWord = (up: number, down: number): TrendWord =>
  up > 0 ? 'up' : down > 0 ? 'down' : 'flat';

export type TrendPart = { unit: 'day' | 'week'; word: TrendWord; count: number };

/** The two halves of the trend line, days and weeks; `count` is how many closes in a row, 0 when flat. */
const trendParts = (trend: Trend): [TrendPart, TrendPart] => [
  trendPart('day', trend.daysUp, trend.daysDown),
  trendPart('week', trend.weeksUp, trend.weeksDown),
];

function trendPart(unit: TrendPart['unit'], up: number, down: number): TrendPart {
  const word = trendWord(up, down);
  return { unit, word, count: word === 'up' ? up : word === 'down' ? down : 0 };
}

/** The trend line as it is shown: its two halves; where both are flat, that in one word. */
export function shownTrend(trend: Trend): { word: TrendWord; text: string }[] {
  const parts = trendParts(trend);
  if (parts.every(({ word }) => word === 'flat')) return [{ word: 'flat', text: 'flat' }];
  return parts.map((part) => ({ word: part.word, text: trendText(part) }));
}

/** One half of the trend line: 'up 3 days', 'down 1 week', 'flat (weeks)'. */
const trendText = ({ unit, word, count }: TrendPart): string =>
  word === 'flat' ? `flat (${unit}s)` : `${word} ${count} ${unit}${count === 1 ? '' : 's'}`;
