import { priceText } from '../../../alerts/rules/seenText.ts';
import { formatSigned } from '../../../../texts/format.ts';
import { haltOf } from '../../../../market/rules/halted.ts';
import type { Stock } from '../../../../market/rules/stock.ts';
import type { Direction } from '../../../../../web/ui/Trend.tsx';

export type Quote = {
  /** What the price is, where it is not one at which the stock trades: the auction's, or one of before a halt. */
  kind: 'Match' | 'Halted' | 'Suspended' | null;
  /** AUD, as a text; a dash when there is none. */
  price: string;
  /** Against the previous close; null when it is not known. */
  change: { text: string; direction: Direction } | null;
};

const directionOf = (text: string): Direction =>
  text.startsWith('+') ? 'up' : /^0[.0]{0,9}$/.test(text) ? 'flat' : 'down';

/** What a stock stands at: its last trade, before the opening what the auction would trade at. */
export function quoteOf(stock: Stock): Quote {
  const isAuction = stock.status === 'Pre Open' && typeof stock.match_price === 'number';
  const price = (isAuction ? stock.match_price : stock.last) ?? null;
  const percent = (isAuction ? stock.indicativeChangePercent : stock.change_percent) ?? null;
  const text = formatSigned(percent, 1);
  return {
    kind: isAuction ? 'Match' : haltOf(stock),
    price: priceText(price),
    change: price === null || percent === null ? null : { text: `${text}%`, direction: directionOf(text) },
  };
}

const ARROWS: Readonly<Record<Direction, string>> = { up: '▲', down: '▼', flat: '' };

/** The title of a stock's chart: 'BHP 46.20 ▲1.2%', without a sign where the arrow says it; 'BHP halted 46.20 ▲1.2%'. */
export function quoteTitle(code: string, stock: Stock | null): string {
  if (stock === null) return `${code} chart`;
  const { price, change } = quoteOf(stock);
  return [
    code,
    haltOf(stock)?.toLowerCase() ?? null,
    price,
    change && `${ARROWS[change.direction]}${change.text.replace(/^[+−]/, '')}`,
  ]
    .filter((part) => part !== null)
    .join(' ');
}
