import { isRecord } from '#lib/json.ts';
import { numericText } from '#lib/numericInput.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { checkChoice } from '#market/indicators/rules/parameters.ts';
import {
  delayOf,
  type DemandItem,
  indicatorKey,
  indicatorLabel,
  valueKeyOf,
} from '#market/indicators/rules/indicatorKey.ts';
import { checkHtf, type HtfChoice, htfKey, isHtfPeriod } from '#market/indicators/rules/htfCandle.ts';
import { isTimeframe, timeframeLabel } from '#market/indicators/rules/timeframe.ts';
import type { Catalog, ParamValues } from '#market/indicators/rules/types.ts';
import { formatNumber } from '#texts/format.ts';
import { quoted } from '#lib/wording.ts';
import { CONDITION_FIELDS, SECTOR_FIELD, YES_NO_FIELDS } from './conditionFields.ts';
import { isScanField, savedScanLabel } from './scanFields.ts';

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
type HtfRef = { type: 'htf' } & HtfChoice;

/** A value that is computed or fetched only while somebody uses it, unlike the fields of a stock. */
export type Ref = IndicatorRef | HtfRef;

/** A field that conditions read, by its key: of the field catalogue, or one of those beside it. */
export type FieldRef = { type: 'field'; key: string };

export type NumberOperand = { type: 'number'; value: number };

/** Texts of which the left side must be one (or none, for '!='); only with the sector. */
export type TextOperand = { type: 'text'; values: string[] };

/** A scan that its owner saved: a stock is in it, 1, or not, 0. Only alerts read one. */
export type ScanRef = {
  type: 'scan';
  id: number;
  /** As its owner calls it; of a scan that was deleted, as it was called last. */
  name: string;
};

/** One side of a condition. */
export type Operand = Ref | FieldRef | ScanRef | NumberOperand | TextOperand;

/** More than there are sectors. */
export const MAX_TEXTS = 40;
const MAX_TEXT_LENGTH = 120;

/** Whether an operand is the sector, the one that is a text and no number. */
export const isSector = (operand: Operand | null): boolean =>
  operand?.type === 'field' && operand.key === SECTOR_FIELD.key;

/** Whether an operand is a yes or no: it is 1 or 0, and people choose between the two words. */
export const isYesNo = (operand: Operand | null): boolean =>
  operand?.type === 'field' && YES_NO_FIELDS.some(({ key }) => key === operand.key);

/** Whether an operand is a scan: a stock is in it, 1, or not, 0, and people choose what they wait for. */
export const isScan = (operand: Operand | null): boolean =>
  operand?.type === 'scan' || (operand?.type === 'field' && isScanField(operand.key));

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
  typeof key === 'string' && CONDITION_FIELDS.some((field) => field.key === key)
    ? ok({ type: 'field', key })
    : refuse(`The field "${quoted(key)}" is not in the catalog.`, 'key');

/** Texts that are not empty, each once; a single one may be sent as `value`. */
function checkTexts(sent: { values?: unknown; value?: unknown }): Result<TextOperand> {
  const list: unknown = sent.values ?? [sent.value];
  if (!Array.isArray(list) || list.length === 0) return refuse('Choose at least one sector.', 'values');
  if (list.length > MAX_TEXTS) return refuse(`A condition names at most ${MAX_TEXTS} sectors.`, 'values');
  const values = (list as unknown[]).filter(
    (text): text is string => typeof text === 'string' && text !== '' && text.length <= MAX_TEXT_LENGTH,
  );
  return values.length === list.length
    ? ok({ type: 'text', values: [...new Set(values)] })
    : refuse(`A sector is a text of at most ${MAX_TEXT_LENGTH} characters.`, 'values');
}

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
  if (sent['type'] === 'text') return checkTexts(sent);
  if (sent['type'] === 'field') return checkField(sent['key'] ?? sent['field']);
  return checkRef(catalog, sent);
}

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
