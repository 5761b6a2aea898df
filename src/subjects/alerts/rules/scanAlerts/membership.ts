import type { Stock } from '#market/rules/stock.ts';
import {
  filterValue,
  hasGap,
  isLargeCap,
  type ScanFilters,
  USUAL_FILTERS,
} from '#market/scanners/rules/filters.ts';
import { conditionsOf, type Logic, type Operator } from '#subjects/conditions/rules/condition.ts';
import { SENSITIVE_FIELD } from '#subjects/conditions/rules/conditionFields.ts';
import { operandText } from '#subjects/conditions/rules/operand.ts';
import { isScanFieldOfDay } from '#subjects/conditions/rules/scanFields.ts';
import { isTradedField, type Readiness, TRUE, type Truth, UNKNOWN } from '../readiness.ts';
import type { SeenCondition, SeenSide } from '../trigger.ts';
import type { SharedScanner, WatchedScanner } from '#subjects/alerts/answers/scanAlert.ts';

/** A stock's last known membership of a scan. After `NEW`, the first result counts as neither entering nor leaving. */
export const NEW = 0;
export const OUT = 1;
export const IN = 2;
export type Membership = typeof NEW | typeof OUT | typeof IN;

export type ScanTraits = {
  /** True if the scan reads values that start from zero each day: it is empty before the day's first trades. */
  readonly readsDay: boolean;
  /** True if the scan has a crossing, which lasts one evaluation. */
  readonly isMomentary: boolean;
};

const isCrossing = (op: string): boolean => op === 'crosses_above' || op === 'crosses_below';

/** Whether a value starts again with each session. The last price does not, because it continues from day to day. */
const isOfDay = (key: string): boolean => (isTradedField(key) && key !== 'last') || isScanFieldOfDay(key);

export function traitsOf(logic: Logic): ScanTraits {
  const conditions = conditionsOf(logic);
  return {
    readsDay: conditions.some(({ lhs, rhs }) =>
      [lhs, rhs].some((side) => side.type === 'field' && isOfDay(side.key)),
    ),
    isMomentary: conditions.some(({ op }) => isCrossing(op)),
  };
}

/**
 * The membership after an evaluation. UNKNOWN changes nothing, with one exception: in a scan of the day's values, a new
 * stock is out before its first trade.
 * @param truth the scan's result; UNKNOWN also if the stock is not evaluated
 */
export function membershipAfter(
  before: Membership,
  truth: Truth,
  readiness: Readiness,
  { readsDay }: Pick<ScanTraits, 'readsDay'>,
): Membership {
  if (truth === UNKNOWN) return before === NEW && readiness === 'auction' && readsDay ? OUT : before;
  return truth === TRUE ? IN : OUT;
}

/** The membership at the start of a session. A stock whose values start again must not be reported as leaving. */
export const membershipNextDay = (
  before: Membership,
  { readsDay }: Pick<ScanTraits, 'readsDay'>,
): Membership => (before === NEW || !readsDay ? before : OUT);

const number = (value: number): SeenSide => ({ text: operandText({ type: 'number', value }, null), value });

const side = (text: string, value: number | null): SeenSide => ({ text, value });

const seen = (left: SeenSide, op: Operator, right: SeenSide, holds: boolean | null): SeenCondition => ({
  left,
  op,
  right,
  holds,
});

/** Up or flat on the day, or previous close above VWAP (specification, section 9). */
function mover({ change, change_percent, close, vwap }: Stock): SeenCondition {
  const isUp = change !== null && change >= 0;
  const isAbove = close !== null && vwap !== null && close > vwap;
  if (isUp || !isAbove) return seen(side('Change %', change_percent), '>=', number(0), isUp);
  return seen(side('P. Close', close), '>', side('VWAP', vwap), true);
}

function priceBand(scanner: SharedScanner, stock: Stock): SeenCondition {
  const { open } = stock;
  if (scanner === 'intraDayLargeCap') {
    return seen(side('Market Cap', stock.marketCap), '>=', number(1e9), isLargeCap(stock));
  }
  const isSmall = scanner === 'intraDaySmall';
  return seen(side('Open', open), isSmall ? '<' : '>=', number(1), open !== null && open < 1 === isSmall);
}

/**
 * A scanner's criteria with a stock's values, as conditions of a saved scan. Filters are included if they have a value.
 */
export function scannerSeen(
  { key: scanner, filters = USUAL_FILTERS }: WatchedScanner,
  stock: Stock,
): SeenCondition[] {
  const filtered = filtersSeen(filters, stock);
  if (scanner !== 'preMarket') return [mover(stock), priceBand(scanner, stock), ...filtered];
  const gap = stock.indicativeChangePercent;
  const op = filters.gaps === 'down' ? '<' : '>';
  return [seen(side('Gap %', gap), op, number(0), hasGap(stock, filters.gaps)), ...filtered];
}

export const filtersSeen = (filters: ScanFilters, stock: Stock): SeenCondition[] => [
  ...risen(filters, stock),
  ...sensitive(filters, stock),
  ...traded(filters, stock),
];

function risen({ minChange }: ScanFilters, { change_percent: change }: Stock): SeenCondition[] {
  if (minChange === undefined) return [];
  return [seen(side('Change %', change), '>=', number(minChange), change !== null && change >= minChange)];
}

function traded({ minValue }: ScanFilters, stock: Stock): SeenCondition[] {
  if (minValue <= 0) return [];
  const value = filterValue(stock);
  return [seen(side('Value', value), '>=', number(minValue), value !== null && value >= minValue)];
}

function sensitive({ sensitiveOnly }: ScanFilters, { sensitiveAnnouncements }: Stock): SeenCondition[] {
  if (sensitiveOnly !== true) return [];
  const has = (sensitiveAnnouncements ?? 0) > 0;
  return [seen(side(SENSITIVE_FIELD.label, Number(has)), '==', number(1), has)];
}
