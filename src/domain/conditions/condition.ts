import { isRecord } from '../../lib/json.ts';
import { indicatorKey, valueKeyOf } from '../indicators/columnName.ts';
import { checkHtf, type HtfChoice } from '../indicators/custom.ts';
import { BROKER_FIELDS } from '../indicators/fields.ts';
import { delayOf, quoted } from '../indicators/valueKey.ts';
import { checkChoice, type Checked } from '../indicators/normalise.ts';
import type { Catalog, ParamValues } from '../indicators/types.ts';

/** An indicator by reference: the custom scanner's columns and the operands of conditions. */
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
/** A value that has to be asked for, where the fields of a stock are always there. */
export type Ref = IndicatorRef | HtfRef;
export type FieldRef = { type: 'field'; key: string };
export type NumberOperand = { type: 'number'; value: number };
export type Operand = Ref | FieldRef | NumberOperand;

/** The comparisons (specification 5). */
export const OPERATORS = ['>', '>=', '==', '!=', '<=', '<', 'crosses_above', 'crosses_below'] as const;
export type Operator = (typeof OPERATORS)[number];

/** A condition (specification 3): the left side is an indicator, a candle or a field, the right side may be a number too. */
export type Condition = { lhs: Ref | FieldRef; op: Operator; rhs: Operand };
export type Logic = { op: 'AND'; conditions: Condition[] };

/** More than anybody reads. */
export const MAX_CONDITIONS = 40;
const problem = (text: string): { ok: false; problem: string } => ({ ok: false, problem: text });
const good = <T>(value: T): Checked<T> => ({ ok: true, value });

/**
 * Checks a reference to an indicator: family, parameters, timeframe and delay.
 * @returns the reference, complete and in its one form; or a sentence that names what is unknown
 */
export function checkIndicatorRef(
  catalog: Pick<Catalog, 'indicators'>,
  given: unknown,
): Checked<IndicatorRef> {
  if (!isRecord(given) || typeof given['family'] !== 'string') {
    return problem('An indicator needs the name of its family.');
  }
  if (typeof given['tf'] !== 'string' || given['tf'] === '') {
    return problem(`Select a timeframe for the indicator "${quoted(given['family'])}".`);
  }
  const checked = checkChoice(catalog, {
    family: given['family'],
    params: isRecord(given['params']) ? given['params'] : {},
    tf: given['tf'],
    delay: delayOf(given['valueKey']),
  });
  if (!checked.ok) return checked;
  const { family: slug, params, tf, delay: known } = checked.value;
  const family = catalog.indicators[slug];
  if (!family) return problem(`The indicator "${slug}" is not in the catalog.`);
  const key = indicatorKey(family, params);
  return good({ type: 'indicator', family: slug, params, tf, key, valueKey: valueKeyOf(known) });
}

/** Checks a reference of either kind. */
export function checkRef(catalog: Pick<Catalog, 'indicators'>, given: unknown): Checked<Ref> {
  if (!isRecord(given) || given['type'] !== 'htf') return checkIndicatorRef(catalog, given);
  const choice = checkHtf(given);
  return choice
    ? good({ type: 'htf', ...choice })
    : problem('That higher-timeframe candle is not offered; choose a period and a price of the lists.');
}

const checkField = (key: unknown): Checked<FieldRef> =>
  typeof key === 'string' && BROKER_FIELDS.some((field) => field.key === key)
    ? good({ type: 'field', key })
    : problem(`The field "${quoted(key)}" is not in the catalog.`);

/** One side of a condition; a bare text is a field, a bare number a number. */
export function checkOperand(catalog: Pick<Catalog, 'indicators'>, given: unknown): Checked<Operand> {
  if (typeof given === 'string') return checkField(given);
  const value = isRecord(given) && given['type'] === 'number' ? given['value'] : given;
  if (typeof value === 'number') {
    return Number.isFinite(value)
      ? good({ type: 'number', value })
      : problem('The number of a condition must be finite.');
  }
  if (!isRecord(given)) return problem('A condition compares indicators, fields and numbers.');
  if (given['type'] === 'number') return problem('The number of a condition must be finite.');
  if (given['type'] === 'field') return checkField(given['key'] ?? given['field']);
  return checkRef(catalog, given);
}

function checkCondition(catalog: Pick<Catalog, 'indicators'>, given: unknown): Checked<Condition> {
  if (!isRecord(given)) return problem('A condition needs two sides and a comparison.');
  const op = OPERATORS.find((known) => known === given['op']);
  if (!op) return problem(`The comparison "${quoted(given['op'])}" is not known.`);
  const lhs = checkOperand(catalog, given['lhs']);
  if (!lhs.ok) return lhs;
  if (lhs.value.type === 'number') return problem('The left side of a condition is an indicator or a field.');
  const rhs = checkOperand(catalog, given['rhs']);
  if (!rhs.ok) return rhs;
  return good({ lhs: lhs.value, op, rhs: rhs.value });
}

/**
 * Checks a list of conditions that must all hold.
 * @returns the list in its one form; or a sentence that names what is wrong, and in which condition
 */
export function checkLogic(catalog: Pick<Catalog, 'indicators'>, given: unknown): Checked<Logic> {
  const list = isRecord(given) ? given['conditions'] : undefined;
  if (!isRecord(given) || given['op'] !== 'AND' || !Array.isArray(list)) {
    return problem('A scan is a list of conditions joined by AND.');
  }
  if (list.length > MAX_CONDITIONS) return problem(`A scan has at most ${MAX_CONDITIONS} conditions.`);
  const conditions: Condition[] = [];
  for (const [index, item] of (list as unknown[]).entries()) {
    const checked = checkCondition(catalog, item);
    if (!checked.ok) return problem(`Condition ${index + 1}: ${checked.problem}`);
    conditions.push(checked.value);
  }
  return good({ op: 'AND', conditions });
}
