import type { DailyBar, MinuteBar } from '#market/bars/rules/bars.ts';
import type { History } from '#market/sources/quotes.ts';

type Given = Omit<History, 'eachDay' | 'eachMinute'> & {
  daily(code: string, until: string, count: number): readonly DailyBar[];
  minutes(code: string, date: string): readonly MinuteBar[];
};

const NO_FIGURES = { open: 0, high: 0, low: 0, close: 0, volume: 0 };

/** A history with the given bars. As in the product, a visitor receives the same bar object each time. */
export const givenHistory = ({ daily, minutes, ...rest }: Given): History => ({
  ...rest,
  eachDay(code, until, count, visit) {
    const bar: DailyBar = { date: '', ...NO_FIGURES };
    for (const one of daily(code, until, count)) visit(Object.assign(bar, one));
  },
  eachMinute(code, date, visit) {
    const bar: MinuteBar = { time: 0, ...NO_FIGURES };
    for (const one of minutes(code, date)) visit(Object.assign(bar, one));
  },
});

export function daysUntil(
  history: Pick<History, 'eachDay'>,
  code: string,
  until: string,
  count: number,
): DailyBar[] {
  const bars: DailyBar[] = [];
  history.eachDay(code, until, count, (bar) => bars.push({ ...bar }));
  return bars;
}

export function minutesOn(history: Pick<History, 'eachMinute'>, code: string, date: string): MinuteBar[] {
  const bars: MinuteBar[] = [];
  history.eachMinute(code, date, (bar) => bars.push({ ...bar }));
  return bars;
}
