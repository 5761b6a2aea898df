import type { Condition, Logic, Operator } from '#subjects/conditions/rules/condition.ts';

export const field = (key: string) => ({ type: 'field', key }) as const;
export const number = (value: number) => ({ type: 'number', value }) as const;
export const LAST = field('last');
/** As completed by the catalog: 14 bars of one hour. */
export const RSI = {
  type: 'indicator',
  family: 'rsi',
  params: { length: '14' },
  tf: '60',
  key: 'rsi_14',
  valueKey: 'now',
} as const;

export const is = (lhs: Condition['lhs'], op: Operator, to: number | Condition['rhs']): Condition => ({
  lhs,
  op,
  rhs: typeof to === 'number' ? number(to) : to,
});
export const anyOf = (...conditions: Condition[]) => ({ op: 'OR' as const, conditions });
export const allOf = (...conditions: Logic['conditions']): Logic => ({ op: 'AND', conditions });
