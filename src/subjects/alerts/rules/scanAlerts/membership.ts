import type { Stock } from '#market/rules/stock.ts';
import { filterValue, hasGap, isLargeCap } from '#market/scanners/rules/filters.ts';
import { type ScanFilters, USUAL_FILTERS } from '#market/scanners/rules/scanFilters.ts';
import { conditionsOf, type Logic, type Operator } from '#subjects/conditions/rules/condition.ts';
import { SENSITIVE_FIELD } from '#subjects/conditions/rules/conditionFields.ts';
import { operandText } from '#subjects/conditions/rules/operand.ts';
import { isScanFieldOfDay } from '#subjects/conditions/rules/scanFields.ts';
import { isTradedField, type Readiness, TRUE, type Truth, UNKNOWN } from '../readiness.ts';
import type { SeenCondition, SeenSide } from '../trigger.ts';
import type { SharedScanner, WatchedScanner } from './scanAlert.ts';

/**
 * Where a stock stands of a scan as it was last known. `NEW`: never known yet, so whatever it is found to be first is
 * neither an entering nor a leaving.
 */
export const NEW = 0;
export const OUT = 1;
export const IN = 2;
export type Membership = typeof NEW | typeof OUT | typeof IN;

/** What of a scan decides how its members are judged. */
export type ScanTraits = {
  /** It reads what is counted from zero each day, so nobody is in it before the day's first trade. */
  readonly readsDay: boolean;
  /** It looks for a crossing, which is over in a moment. */
  readonly isMomentary: boolean;
};

const isCrossing = (op: string): boolean => op === 'crosses_above' || op === 'crosses_below';

/** The last price goes on from day to day; what else is traded begins again with each session. */
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
 * Where a stock stands after a look. What is not known changes nothing, but for a scan that has not known the stock yet:
 * before the stock's first trade of the day nobody is in a scan of the day's figures.
 * @param truth of the scan's conditions; UNKNOWN as well where the stock is not evaluated
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

/** What is left of a membership when a session begins: nobody is told that the day's figures began again. */
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

/** Up or flat on the day, else its previous close above its VWAP (specification, section 9). */
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
 * What a scanner asks of a stock, with the values that it has, as the conditions of a saved scan are shown: those of its
 * filters too that have a value.
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

/** What filters ask of a stock, as far as it has a value. */
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
