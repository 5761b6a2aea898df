import type { DemandItem } from '../../../market/indicators/rules/demandItem.ts';
import { isTimeframe } from '../../../market/indicators/rules/timeframe.ts';
import type { Operand } from './operand.ts';

/** The value behind an operand; none for fields and numbers, which are always there. */
export function demandOfOperand(operand: Operand): DemandItem[] {
  if (operand.type === 'htf') {
    const { period, field } = operand;
    return [{ kind: 'htf', choice: { period, field } }];
  }
  if (operand.type !== 'indicator' || !isTimeframe(operand.tf)) return [];
  const { family, params, tf, key, valueKey } = operand;
  const delay = valueKey === 'now' ? 0 : Number(valueKey);
  return [{ kind: 'indicator', choice: { family, params, tf, delay }, key }];
}
