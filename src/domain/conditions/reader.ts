import { FIELD_COLUMNS } from '../scanners/columns.ts';
import { htfKey } from '../indicators/custom.ts';
import { indicatorLabel } from '../indicators/label.ts';
import type { Logic, Operand } from './condition.ts';
import { isTimeframe, timeframeLabel } from '../indicators/timeframe.ts';
import type { Catalog } from '../indicators/types.ts';
import type { Stock } from '../market/stock.ts';

export type Reader = (stock: Stock) => number | null;

const finite = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) ? value : null;

function fieldReader(key: string): Reader {
  const column = FIELD_COLUMNS.find(({ id }) => id === key);
  if (!column) return () => null;
  const { value } = column;
  return (stock) => finite(value(stock));
}

/** How an operand is read off a stock; what the stock does not have is null. Made once, then called per stock. */
export function readerOf(operand: Operand): Reader {
  switch (operand.type) {
    case 'number': {
      const value = finite(operand.value);
      return () => value;
    }
    case 'field':
      return fieldReader(operand.key);
    case 'htf': {
      const { period, field } = operand;
      return (stock) => finite(stock.htf?.[period]?.[field]);
    }
    case 'indicator': {
      const { tf, key, valueKey } = operand;
      return (stock) => finite(stock.indicators?.[tf]?.[key]?.[valueKey]);
    }
  }
}

/** One text per different operand: tells two of them apart. */
export function operandId(operand: Operand): string {
  switch (operand.type) {
    case 'number':
      return `number:${operand.value}`;
    case 'field':
      return `field:${operand.key}`;
    case 'htf':
      return `custom:htf_candle:${htfKey(operand)}`;
    case 'indicator':
      return `indicator:${operand.tf}:${operand.key}:${operand.valueKey}`;
  }
}

/**
 * An operand in words: 'Last', '3M high', 'RSI(14) 1h, 1 bar ago', '0.5'.
 * @param catalog names of indicators; without it their keys are shown
 */
export function operandText(operand: Operand, catalog: Pick<Catalog, 'indicators'> | null): string {
  switch (operand.type) {
    case 'number':
      return String(operand.value);
    case 'field':
      return FIELD_COLUMNS.find(({ id }) => id === operand.key)?.label ?? operand.key;
    case 'htf':
      return `${operand.period} ${operand.field}`;
    case 'indicator': {
      const { family: slug, params, tf, key, valueKey } = operand;
      if (!isTimeframe(tf)) return key;
      const family = catalog?.indicators[slug];
      const delay = valueKey === 'now' ? 0 : Number(valueKey);
      return family ? indicatorLabel(family, { params, tf, delay }) : `${key} ${timeframeLabel(tf)}`;
    }
  }
}

/** The values that conditions read, each once, in the order they appear; numbers are left out. */
export function operandsOf(logic: Logic): Exclude<Operand, { type: 'number' }>[] {
  const found = new Map<string, Exclude<Operand, { type: 'number' }>>();
  for (const { lhs, rhs } of logic.conditions) {
    for (const operand of [lhs, rhs]) if (operand.type !== 'number') found.set(operandId(operand), operand);
  }
  return [...found.values()];
}
