import { isRecord } from '#lib/json.ts';
import { numericText } from '#lib/numericInput.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { checkChoice } from '#market/indicators/rules/parameters.ts';
import {
  checkHtfOrYear,
  delayOf,
  type DemandItem,
  type HtfChoice,
  htfKey,
  indicatorKey,
  indicatorLabel,
  isHtfPeriod,
  valueKeyOf,
  YEAR,
  YEAR_FIELDS,
  type YearChoice,
} from '#market/indicators/rules/indicatorKey.ts';
import {
  type Catalog,
  isTimeframe,
  type ParamValues,
  timeframeLabel,
} from '#market/indicators/rules/types.ts';
import { formatNumber } from '#texts/format.ts';
import { capitalised, quoted } from '#lib/wording.ts';
import { CONDITION_FIELDS, SECTOR_FIELD, YES_NO_FIELDS } from './conditionFields.ts';
import { isScanField, savedScanLabel } from './scanFields.ts';

/** The values to request for an operand. Fields and numbers need none, because they are always available. */
export function demandOfOperand(operand: Operand): DemandItem[] {
  if (operand.type === 'htf') {
    const { type: _, ...choice } = operand;
    return [{ kind: 'htf', choice }];
  }
  if (operand.type !== 'indicator' || !isTimeframe(operand.tf)) return [];
  const { family, params, tf, key, valueKey } = operand;
  const delay = valueKey === 'now' ? 0 : Number(valueKey);
  return [{ kind: 'indicator', choice: { family, params, tf, delay }, key }];
}

/** `indicators[tf][key][valueKey]`. */
export type IndicatorRef = {
  type: 'indicator';
  family: string;
  params: ParamValues;
  tf: string;
  key: string;
  /** 'now', or the number of bars back. */
  valueKey: string;
};

/** `htf[period][field]`; see `refReader` for 52 weeks. */
type HtfRef = { type: 'htf' } & (HtfChoice | YearChoice);

/** The high and low of 52 weeks, which users choose like fields. */
export const YEAR_REFS: readonly HtfRef[] = YEAR_FIELDS.map((field) => ({
  type: 'htf',
  period: YEAR,
  field,
}));

/** An operand that is computed or fetched only while it is used, unlike a stock's fields. */
export type Ref = IndicatorRef | HtfRef;

export type FieldRef = { type: 'field'; key: string };

export type NumberOperand = { type: 'number'; value: number };

/** Texts, of which the left side must be one (or none, for '!='); only for the sector. */
export type TextOperand = { type: 'text'; values: string[] };

/** A saved scan: 1 if a stock is in it, otherwise 0. Only alerts use it. */
export type ScanRef = {
  type: 'scan';
  id: number;
  /** The current name, or the last one of a deleted scan. */
  name: string;
};

export type Operand = Ref | FieldRef | ScanRef | NumberOperand | TextOperand;

export const MAX_TEXTS = 40;
const MAX_TEXT_LENGTH = 120;

/** Whether an operand is the sector, the only text. */
export const isSector = (operand: Operand | null): boolean =>
  operand?.type === 'field' && operand.key === SECTOR_FIELD.key;

/** Whether an operand is 1 or 0 and is chosen by two words. */
export const isYesNo = (operand: Operand | null): boolean =>
  operand?.type === 'field' && YES_NO_FIELDS.some(({ key }) => key === operand.key);

/** Whether an operand is a scan: 1 if the stock is in it, otherwise 0. Users choose a question about it. */
export const isScan = (operand: Operand | null): boolean =>
  operand?.type === 'scan' || (operand?.type === 'field' && isScanField(operand.key));

const NOT_FINITE = 'The number in a condition must be finite.';

function checkIndicatorRef(catalog: Pick<Catalog, 'indicators'>, sent: unknown): Result<IndicatorRef> {
  if (!isRecord(sent) || typeof sent['family'] !== 'string') {
    return refuse('An indicator needs a `family`.', 'family');
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
 * Checks an indicator or a higher-timeframe candle.
 * @returns the complete reference with the key that its parameters give; a refusal names the member: 'family',
 *   'params.<name>', 'tf', 'period', 'field'
 */
export function checkRef(catalog: Pick<Catalog, 'indicators'>, sent: unknown): Result<Ref> {
  if (!isRecord(sent) || sent['type'] !== 'htf') return checkIndicatorRef(catalog, sent);
  const choice = checkHtfOrYear(sent);
  return choice
    ? ok({ type: 'htf', ...choice })
    : refuse(
        'That higher-timeframe candle is not available. Choose a period and a price from the lists.',
        isHtfPeriod(sent['period']) ? 'field' : 'period',
      );
}

const checkField = (key: unknown): Result<FieldRef> =>
  typeof key === 'string' && CONDITION_FIELDS.some((field) => field.key === key)
    ? ok({ type: 'field', key })
    : refuse(`The field "${quoted(key)}" is not in the catalog.`, 'key');

/** Checks a list of texts: non-empty and unique. A single text may be sent as `value`. */
function checkTexts(sent: { values?: unknown; value?: unknown }): Result<TextOperand> {
  const list: unknown = sent.values ?? [sent.value];
  if (!Array.isArray(list) || list.length === 0) return refuse('Choose at least one sector.', 'values');
  if (list.length > MAX_TEXTS) return refuse(`A condition can have at most ${MAX_TEXTS} sectors.`, 'values');
  const values = (list as unknown[]).filter(
    (text): text is string => typeof text === 'string' && text !== '' && text.length <= MAX_TEXT_LENGTH,
  );
  return values.length === list.length
    ? ok({ type: 'text', values: [...new Set(values)] })
    : refuse(`A sector must be text of at most ${MAX_TEXT_LENGTH} characters.`, 'values');
}

/**
 * Checks an operand. A plain text means a field, a plain number a number.
 * @returns the canonical operand; a refusal names a member, or null if it is not an operand at all
 */
export function checkOperand(catalog: Pick<Catalog, 'indicators'>, sent: unknown): Result<Operand> {
  if (typeof sent === 'string') return checkField(sent);
  const value = isRecord(sent) && sent['type'] === 'number' ? sent['value'] : sent;
  if (typeof value === 'number') {
    return Number.isFinite(value) ? ok({ type: 'number', value }) : refuse(NOT_FINITE, 'value');
  }
  if (!isRecord(sent)) return refuse('A condition can compare indicators, fields and numbers.');
  if (sent['type'] === 'number') return refuse(NOT_FINITE, 'value');
  if (sent['type'] === 'text') return checkTexts(sent);
  if (sent['type'] === 'field') return checkField(sent['key'] ?? sent['field']);
  return checkRef(catalog, sent);
}

/** An id that is equal only for equal operands. */
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

function numberText(value: number): string {
  const text = numericText(value);
  const point = text.indexOf('.');
  return formatNumber(value, point < 0 ? 0 : text.length - point - 1);
}

/** 'Last', '3M high', 'RSI(14) 1h, 1 bar ago', 'my scan Breakouts', '0.5'. */
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
      return operand.period === YEAR
        ? `52-Week ${capitalised(operand.field)}`
        : `${operand.period} ${operand.field}`;
    case 'indicator': {
      const { family: slug, params, tf, key, valueKey } = operand;
      if (!isTimeframe(tf)) return key;
      const family = catalog?.indicators[slug];
      const delay = valueKey === 'now' ? 0 : Number(valueKey);
      return family ? indicatorLabel(family, { params, tf, delay }) : `${key} ${timeframeLabel(tf)}`;
    }
  }
}
