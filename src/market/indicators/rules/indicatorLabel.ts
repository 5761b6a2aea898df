import { timeframeLabel } from './timeframe.ts';
import type { Family, IndicatorChoice } from './types.ts';

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
