import type { Wire } from '#lib/contract/fields.ts';
import type { Logic } from '#subjects/conditions/rules/condition.ts';
import type { backtest, backtestedPeriod } from '../answers/backtest.ts';
import { formatMoment, counted, formatNumber } from '#texts/format.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';

const timesText = (count: number): string =>
  count === 0 ? 'Never' : count === 1 ? 'Once' : `${formatNumber(count, 0)} times`;

const dayText = (time: number): string => formatMoment(time).replace(/ \d\d:\d\d$/, '');

const yearText = (time: number): string => sydneyDate(time).slice(0, 4);

/** '16 Nov to 20 Nov'; with years if they differ. */
function spanText(from: number, to: number): string {
  if (yearText(from) !== yearText(to)) {
    return `${dayText(from)} ${yearText(from)} to ${dayText(to)} ${yearText(to)}`;
  }
  const [first, last] = [dayText(from), dayText(to)];
  return first === last ? first : `${first} to ${last}`;
}

export function periodText({ fired, tradingDays, from, to }: BacktestedPeriod): string {
  return `${timesText(fired)} in ${counted(tradingDays, 'trading day')}, ${spanText(from, to)}`;
}

/** '2.4 a day on average, 6 on the busiest day'; null if the alert never fired. */
export function oftenText({ perDay, busiestDay }: Pick<Backtest, 'perDay' | 'busiestDay'>): string | null {
  if (busiestDay === 0) return null;
  const often = perDay < 0.05 ? 'Less than 0.1' : formatNumber(perDay, 1);
  return `${often} a day on average, ${formatNumber(busiestDay, 0)} on the busiest day`;
}

export type BacktestedPeriod = Wire<typeof backtestedPeriod>;
export type Backtest = Wire<typeof backtest>;

export type BacktestedAlert = { logic: Logic; cooldownMinutes: number };

export const ONCE_NOT_BACKTESTED =
  'This alert fires once and switches itself off. The backtest counts how often its conditions became true.';

/** Above this number of firings per day, a backtest warns that the alert fires too often. */
export const TOO_OFTEN = 20;
