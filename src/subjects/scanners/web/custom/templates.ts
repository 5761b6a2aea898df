import { YEAR } from '#market/indicators/rules/indicatorKey.ts';
import type { Sort } from '#market/scanners/rules/scanners.ts';
import type { Condition, Logic } from '#subjects/conditions/rules/condition.ts';
import { SENSITIVE_FIELD } from '#subjects/conditions/rules/conditionFields.ts';

/** A scan to begin with. `sort` is by a column that its conditions add, or by one of the table's own. */
export type Template = { name: string; logic: Logic; sort: Sort };

const field = (key: string) => ({ type: 'field', key }) as const;
const is = (key: string, op: Condition['op'], value: number): Condition => ({
  lhs: field(key),
  op,
  rhs: { type: 'number', value },
});
const template = (name: string, sortedBy: string, ...conditions: Condition[]): Template => ({
  name,
  logic: { op: 'AND', conditions },
  sort: { id: sortedBy, desc: true },
});

export const TEMPLATES: readonly Template[] = [
  template(
    'Gap and go',
    'gap_percent',
    is('gap_percent', '>=', 3),
    { lhs: field('last'), op: '>=', rhs: field('open') },
    is('relativeVolume', '>=', 1.5),
  ),
  template(
    'VWAP reclaim',
    'relativeVolume',
    { lhs: field('last'), op: 'crosses_above', rhs: field('vwap') },
    is('relativeVolume', '>=', 1.5),
  ),
  template(
    '52-week break',
    'relativeVolume',
    { lhs: field('last'), op: '>=', rhs: { type: 'htf', period: YEAR, field: 'high' } },
    is('relativeVolume', '>=', 1.5),
  ),
  template('Volume spike', 'relativeVolume', is('relativeVolume', '>=', 3), is('change_percent', '>', 0)),
  template('Price-sensitive today', 'value', is(SENSITIVE_FIELD.key, '==', 1)),
];
