import { isRecord } from '../../lib/json.ts';
import { ok, refuse, type Result } from '../../lib/result.ts';
import { BROKER_FIELDS } from '../indicators/brokerFields.ts';
import { checkChoice } from '../indicators/choice.ts';
import { checkHtf, type HtfChoice, isHtfPeriod } from '../indicators/htfCandle.ts';
import { delayOf, indicatorKey, valueKeyOf } from '../indicators/indicatorKey.ts';
import type { Catalog, ParamValues } from '../indicators/types.ts';
import { quoted } from '../quoted.ts';

/** An indicator by reference: `indicators[tf][key][valueKey]`. */
export type IndicatorRef = {
  type: 'indicator';
  family: string;
  params: ParamValues;
  tf: string;
  key: string;
  /** 'now', or how many bars back. */
  valueKey: string;
};

/** A price of a higher-timeframe candle: `htf[period][field]`. */
export type HtfRef = { type: 'htf' } & HtfChoice;

/** A value that is computed or fetched only while somebody uses it, unlike the fields of a stock. */
export type Ref = IndicatorRef | HtfRef;

/** A field of the field catalogue, by its key. */
export type FieldRef = { type: 'field'; key: string };

export type NumberOperand = { type: 'number'; value: number };

/** One side of a condition. */
export type Operand = Ref | FieldRef | NumberOperand;

const NOT_FINITE = 'The number of a condition must be finite.';

function checkIndicatorRef(catalog: Pick<Catalog, 'indicators'>, sent: unknown): Result<IndicatorRef> {
  if (!isRecord(sent) || typeof sent['family'] !== 'string') {
    return refuse('An indicator needs the name of its family.', 'family');
  }
  if (typeof sent['tf'] !== 'string' || sent['tf'] === '') {
    return refuse(`Select a timeframe for the indicator "${quoted(sent['family'])}".`, 'tf');
  }
  const checked = checkChoice(catalog, {
    family: sent['family'],
    params: isRecord(sent['params']) ? sent['params'] : {},
    tf: sent['tf'],
    delay: delayOf(sent['valueKey']),
  });
  if (!checked.ok) return checked;
  const { family: slug, params, tf, delay } = checked.value;
  const family = catalog.indicators[slug];
  if (!family) return refuse(`The indicator "${slug}" is not in the catalog.`, 'family');
  const key = indicatorKey(family, params);
  return ok({ type: 'indicator', family: slug, params, tf, key, valueKey: valueKeyOf(delay) });
}

/**
 * Checks a reference to an indicator or a higher-timeframe candle.
 * @returns the reference, complete and with the key that its parameters give; or a refusal whose field is the member
 *   that is wrong ('family', 'params.<name>', 'tf', 'period', 'field')
 */
export function checkRef(catalog: Pick<Catalog, 'indicators'>, sent: unknown): Result<Ref> {
  if (!isRecord(sent) || sent['type'] !== 'htf') return checkIndicatorRef(catalog, sent);
  const choice = checkHtf(sent);
  return choice
    ? ok({ type: 'htf', ...choice })
    : refuse(
        'That higher-timeframe candle is not offered; choose a period and a price of the lists.',
        isHtfPeriod(sent['period']) ? 'field' : 'period',
      );
}

const checkField = (key: unknown): Result<FieldRef> =>
  typeof key === 'string' && BROKER_FIELDS.some((field) => field.key === key)
    ? ok({ type: 'field', key })
    : refuse(`The field "${quoted(key)}" is not in the catalog.`, 'key');

/**
 * Checks one side of a condition. A bare text stands for a field, a bare number for a number.
 * @returns the operand in its one form; or a refusal whose field is the member of the operand that is wrong, null when
 *   it is no operand at all
 */
export function checkOperand(catalog: Pick<Catalog, 'indicators'>, sent: unknown): Result<Operand> {
  if (typeof sent === 'string') return checkField(sent);
  const value = isRecord(sent) && sent['type'] === 'number' ? sent['value'] : sent;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? ok({ type: 'number', value }) : refuse(NOT_FINITE, 'value');
  }
  if (!isRecord(sent)) return refuse('A condition compares indicators, fields and numbers.');
  if (sent['type'] === 'number') return refuse(NOT_FINITE, 'value');
  if (sent['type'] === 'field') return checkField(sent['key'] ?? sent['field']);
  return checkRef(catalog, sent);
}
