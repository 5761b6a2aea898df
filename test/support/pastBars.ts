import { builtInCatalog } from '#market/indicators/rules/metainfo.ts';
import { indicatorKey } from '#market/indicators/rules/indicatorKey.ts';
import type { IndicatorRef } from '#subjects/conditions/rules/operand.ts';
import { dayOf, keyOf } from '#market/rules/localTime.ts';
import type { PastBars } from '#market/bars/pastBars.ts';
import type { BarRow } from '#market/bars/rows.ts';

export const CATALOG = builtInCatalog();

export function indicator(slug: string, tf: string, value?: string): IndicatorRef {
  const family = CATALOG.indicators[slug];
  if (!family) throw new Error(`The catalog has no ${slug}.`);
  const [param] = family.params;
  const params = param ? { [param.name]: value ?? param.default } : {};
  return { type: 'indicator', family: slug, params, tf, key: indicatorKey(family, params), valueKey: 'now' };
}

/** A row of four prices: open, high, low, close. */
export const row = (
  key: number,
  prices: readonly [number, number, number, number],
  volume = 100,
): BarRow => ({
  key,
  open: prices[0],
  high: prices[1],
  low: prices[2],
  close: prices[3],
  volume,
});

/** Minutes of a day from 10:00 on that trade at one price each. @param date YYYY-MM-DD */
export const flatMinutes = (date: string, prices: readonly number[]): BarRow[] =>
  prices.map((price, index) => row(keyOf(dayOf(date), 600 + index), [price, price, price, price]));

/** The given past bars for any stock. */
export function givenBars(days: readonly BarRow[], minutes: readonly BarRow[] | null): PastBars {
  return {
    hasMinutes: minutes !== null,
    days: (_, count) => days.slice(-count),
    since: (count) => days.at(-count)?.key ?? 0,
    gaps: () => [],
    beganUnseen: () => false,
    minutesOn: () => null,
    *minutes() {
      yield;
      return [...(minutes ?? [])];
    },
  };
}

/** The result of steps run one after the other. */
export function done<T>(steps: Generator<undefined, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
