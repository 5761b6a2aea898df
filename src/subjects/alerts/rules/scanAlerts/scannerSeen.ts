import type { SeenCondition, SeenSide } from '../trigger.ts';
import type { Operator } from '#subjects/conditions/rules/condition.ts';
import { operandText } from '#subjects/conditions/rules/operandText.ts';
import type { Stock } from '#market/rules/stock.ts';
import { filterValue, hasGap, isLargeCap } from '#market/scanners/rules/filters.ts';
import { type ScanFilters, USUAL_FILTERS } from '#market/scanners/rules/scanFilters.ts';
import { SENSITIVE_FIELD } from '#subjects/conditions/rules/conditionFields.ts';
import type { SharedScanner, WatchedScanner } from './scanAlert.ts';

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
