import { type HtfChoice, htfKey } from './htfCandle.ts';
import { timeframeLabel } from './timeframe.ts';
import type { Family, IndicatorChoice, ParamValues } from './types.ts';

/**
 * The key in `indicators[tf][key]`: slug and parameter values in the family's order, e.g. 'rsi_14',
 * 'stoch-k_14_3_3', 'ao'. It does not depend on the market source.
 */
export const indicatorKey = (family: Family, params: ParamValues): string =>
  [
    family.familySlug,
    ...family.params
      .map(({ name, default: fallback }) => params[name] ?? fallback)
      .filter((value) => value !== null),
  ].join('_');

/** The member of `indicators[tf][key]`: 'now', or the bars back as text. */
export const valueKeyOf = (delay: number): string => (delay === 0 ? 'now' : String(delay));

/**
 * In bars: 0 for 'now' and for invalid keys, because an unknown delay is not applied (specification, section
 * 5).
 */
export function delayOf(valueKey: unknown): number {
  const delay = typeof valueKey === 'string' || typeof valueKey === 'number' ? Number(valueKey) : 0;
  return Number.isInteger(delay) ? delay : 0;
}

export type DemandItem =
  | {
      kind: 'indicator';
      choice: IndicatorChoice;
      key: string;
    }
  | { kind: 'htf'; choice: HtfChoice };

export const demandItemId = (item: DemandItem): string =>
  item.kind === 'htf'
    ? `htf:${htfKey(item.choice)}`
    : `indicator:${item.choice.tf}:${item.key}:${item.choice.delay}`;

/** '14_3_3' → '14, 3, 3'. */
export const paramText = (value: string | number): string => String(value).replaceAll('_', ', ');

/** E.g. 'RSI(14) 1h', 'Stoch %K(14, 3, 3) 1D, 1 bar ago', 'AO 1W'. */
export function indicatorLabel(family: Family, choice: Omit<IndicatorChoice, 'family'>): string {
  const values = family.params.flatMap((param) => choice.params[param.name] ?? []).map(paramText);
  const name = values.length === 0 ? family.label : `${family.label}(${values.join(', ')})`;
  const back = choice.delay === 0 ? '' : `, ${choice.delay} bar${choice.delay === 1 ? '' : 's'} ago`;
  return `${name} ${timeframeLabel(choice.tf)}${back}`;
}
