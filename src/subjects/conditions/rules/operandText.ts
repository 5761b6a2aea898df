import { numericText } from '#lib/numericInput.ts';
import { formatNumber } from '#texts/format.ts';
import { htfKey } from '#market/indicators/rules/htfCandle.ts';
import { indicatorLabel } from '#market/indicators/rules/indicatorLabel.ts';
import { isTimeframe, timeframeLabel } from '#market/indicators/rules/timeframe.ts';
import type { Catalog } from '#market/indicators/rules/types.ts';
import { CONDITION_FIELDS } from './conditionFields.ts';
import type { Operand } from './operand.ts';
import { savedScanLabel } from './scanFields.ts';

/** An id that is the same for equal operands and different for all others. */
export function operandId(operand: Operand): string {
  switch (operand.type) {
    case 'number':
      return `number:${operand.value}`;
    case 'text':
      return `text:${JSON.stringify(operand.values)}`;
    case 'field':
      return `field:${operand.key}`;
    case 'scan':
      return `scan:${operand.id}`;
    case 'htf':
      return `custom:htf_candle:${htfKey(operand)}`;
    case 'indicator':
      return `indicator:${operand.tf}:${operand.key}:${operand.valueKey}`;
  }
}

/** With separators, and as many decimals as the number has, at most six. */
function numberText(value: number): string {
  const text = numericText(value);
  const point = text.indexOf('.');
  return formatNumber(value, point < 0 ? 0 : text.length - point - 1);
}

/**
 * An operand in words: 'Last', '3M high', 'RSI(14) 1h, 1 bar ago', 'my scan Breakouts', '0.5'.
 * @param catalog names of indicators; without it their keys are shown
 */
export function operandText(operand: Operand, catalog: Pick<Catalog, 'indicators'> | null): string {
  switch (operand.type) {
    case 'number':
      return numberText(operand.value);
    case 'text':
      return operand.values.join(' or ');
    case 'field':
      return CONDITION_FIELDS.find(({ key }) => key === operand.key)?.label ?? operand.key;
    case 'scan':
      return savedScanLabel(operand.name);
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
