import { FIELD_COLUMNS } from '../scanners/columns.ts';
import { htfKey } from '../indicators/htfCandle.ts';
import { indicatorLabel } from '../indicators/indicatorLabel.ts';
import { isTimeframe, timeframeLabel } from '../indicators/timeframe.ts';
import type { Catalog } from '../indicators/types.ts';
import type { Operand } from './operand.ts';

/** An id that is the same for equal operands and different for all others. */
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
