import { lookUp } from '#lib/json.ts';
import { YEAR } from '#market/indicators/rules/indicatorKey.ts';
import {
  ALL_COLUMNS,
  type ColourRule,
  type Column,
  type ColumnKind,
  DECIMALS,
} from '#market/scanners/rules/columns.ts';
import type { ReadOperand } from '#subjects/conditions/rules/condition.ts';
import { MINUTES_FIELD } from '#subjects/conditions/rules/conditionFields.ts';
import { type Reader, readerOf } from '#subjects/conditions/rules/evaluator.ts';
import { isScan, isSector, isYesNo, type Operand } from '#subjects/conditions/rules/operand.ts';
import type { IgnoresStatus } from '#subjects/conditions/rules/scanFields.ts';
import { valueColumn } from './shownColumns.ts';

type ValueStyle = { kind: ColumnKind; colour: ColourRule };

const KINDS: Readonly<Partial<Record<string, ValueStyle>>> = {
  gap_percent: { kind: 'percent', colour: 'sign' },
  day_range: { kind: 'percent', colour: 'plain' },
};

const SECTOR: Column = {
  id: 'sector',
  label: 'Sector',
  kind: 'volume',
  decimals: 0,
  numeric: false,
  colour: 'plain',
  flashes: false,
  value: (stock) => stock.sector,
};

const yesNoColumn = (id: string, label: string, read: Reader): Column => ({
  ...SECTOR,
  id,
  label,
  flashes: true,
  value: (stock) => (read(stock) === 1 ? 'Yes' : 'No'),
});

/** Whether an operand can be a column. The minutes since the open cannot, because they are equal for all stocks. */
export const hasColumn = (operand: Operand): boolean =>
  operand.type !== 'field' || operand.key !== MINUTES_FIELD;

/** @param id different for each delay, because several delays of one indicator may be shown together */
export function operandColumn(
  id: string,
  label: string,
  operand: ReadOperand,
  ignoreStatus?: IgnoresStatus,
): Column {
  if (operand.type === 'htf' && operand.period === YEAR)
    return { ...valueColumn(id, label, operand), kind: 'price', decimals: DECIMALS.price, flashes: false };
  if (operand.type !== 'field') return valueColumn(id, label, operand);
  const { key } = operand;
  if (isSector(operand)) return SECTOR;
  if (isYesNo(operand) || isScan(operand)) return yesNoColumn(key, label, readerOf(operand, ignoreStatus));
  const field = ALL_COLUMNS.find((column) => column.id === key);
  if (field) return field;
  const { kind, colour }: ValueStyle = lookUp(KINDS, key) ?? { kind: 'indicator', colour: 'plain' };
  const decimals = DECIMALS[kind];
  return { id: key, label, kind, colour, decimals, numeric: true, flashes: true, value: readerOf(operand) };
}
