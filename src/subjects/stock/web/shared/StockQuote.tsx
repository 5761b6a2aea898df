import type { ReactNode } from 'react';
import type { Stock } from '#market/rules/stock.ts';
import { haltOf } from '#market/rules/stockState.ts';
import { priceText } from '#subjects/alerts/rules/seenText.ts';
import { formatSigned } from '#texts/format.ts';
import { type Direction, Trend } from '#ui/Trend.tsx';

type Quote = {
  /** Null if the stock trades at this price. Otherwise the price is the auction's, or from before a halt. */
  kind: 'Match' | 'Halted' | 'Suspended' | null;
  price: string;
  /** Change from the previous close; null if unknown. */
  change: { text: string; direction: Direction } | null;
};

const directionOf = (text: string): Direction =>
  text.startsWith('+') ? 'up' : /^0[.0]{0,9}$/.test(text) ? 'flat' : 'down';

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

export function StockQuote({ stock }: { stock: Stock }): ReactNode {
  const { kind, price, change } = quoteOf(stock);
  return (
    <p className="cluster align-baseline min-w-0">
      <strong className="nowrap">
        {kind && <span className={kind === 'Match' ? 'muted' : 'warn-text regular'}>{kind} </span>}
        {price}
      </strong>
      {change && <Trend direction={change.direction}>{change.text}</Trend>}
      <span className="chart-company ellipsis muted" title={stock.name}>
        {stock.name}
      </span>
    </p>
  );
}
