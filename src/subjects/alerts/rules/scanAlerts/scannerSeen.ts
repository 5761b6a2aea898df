import type { SeenCondition, SeenSide } from '../trigger.ts';
import type { Operator } from '../../../conditions/rules/condition.ts';
import { operandText } from '../../../conditions/rules/operandText.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import { DEFAULT_MIN_VALUE, filterValue, isLargeCap } from '../../../scanners/rules/filters.ts';
import type { SharedScanner } from './scanAlert.ts';

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
 * What a scanner asks of a stock, with the values that it has, as the conditions of a saved scan are shown; the filters are
 * those that the scanner begins with, of every group of prices.
 */
export function scannerSeen(scanner: SharedScanner, stock: Stock): SeenCondition[] {
  const value = filterValue(stock);
  const traded = seen(
    side('Value', value),
    '>=',
    number(DEFAULT_MIN_VALUE),
    value !== null && value >= DEFAULT_MIN_VALUE,
  );
  if (scanner !== 'preMarket') return [mover(stock), priceBand(scanner, stock), traded];
  const gap = stock.indicativeChangePercent;
  return [seen(side('Gap %', gap), '>', number(0), gap !== null && gap > 0), traded];
}
