import { type HtfChoice, htfKey } from './htfCandle.ts';
import { timeframeLabel } from './timeframe.ts';
import type { Family, IndicatorChoice, ParamValues } from './types.ts';

/**
 * The key under which an indicator's values stand in `indicators[tf][key]`: its slug and its parameter values in the
 * family's order, e.g. 'rsi_14', 'stoch-k_14_3_3', 'ao'. It does not depend on the market source.
 */
export const indicatorKey = (family: Family, params: ParamValues): string =>
  [
    family.familySlug,
    ...family.params
      .map(({ name, default: fallback }) => params[name] ?? fallback)
      .filter((value) => value !== null),
  ].join('_');

/** The member of `indicators[tf][key]` for a delay: 'now', or how many bars back as text. */
export const valueKeyOf = (delay: number): string => (delay === 0 ? 'now' : String(delay));

/**
 * The delay that a value key stands for, in bars: 0 for 'now' and for anything that is no whole number, because a delay
 * that does not exist is not applied (specification, section 5).
 */
export function delayOf(valueKey: unknown): number {
  const delay = typeof valueKey === 'string' || typeof valueKey === 'number' ? Number(valueKey) : 0;
  return Number.isInteger(delay) ? delay : 0;
}

/** A value that somebody looks at: an indicator, or a price of a higher-timeframe candle. */
export type DemandItem =
  | {
      kind: 'indicator';
      choice: IndicatorChoice;
      /** Its place, `indicators[tf][key][valueKey]`. */
      key: string;
    }
  | { kind: 'htf'; choice: HtfChoice };

/** One text per value: two items with the same text are the same value. */
export const demandItemId = (item: DemandItem): string =>
  item.kind === 'htf'
    ? `htf:${htfKey(item.choice)}`
    : `indicator:${item.choice.tf}:${item.key}:${item.choice.delay}`;

/** '14_3_3' → '14, 3, 3'. */
export const paramText = (value: string | number): string => String(value).replaceAll('_', ', ');

/**
 * The label of an indicator: family, parameters, timeframe and delay, e.g. 'RSI(14) 1h',
 * 'Stoch %K(14, 3, 3) 1D, 1 bar ago', 'AO 1W'.
 */
export function indicatorLabel(family: Family, choice: Omit<IndicatorChoice, 'family'>): string {
  const values = family.params.flatMap((param) => choice.params[param.name] ?? []).map(paramText);
  const name = values.length === 0 ? family.label : `${family.label}(${values.join(', ')})`;
  const back = choice.delay === 0 ? '' : `, ${choice.delay} bar${choice.delay === 1 ? '' : 's'} ago`;
  return `${name} ${timeframeLabel(choice.tf)}${back}`;
}
