import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { formatSigned } from '#texts/format.ts';
import type { Stock } from '#market/rules/stock.ts';
import { haltOf } from '#market/rules/stockState.ts';
import { plainLine } from '#texts/plainText.ts';
import { priceText } from './seenText.ts';

export type MessageStock = Pick<
  Stock,
  'status' | 'last' | 'match_price' | 'change_percent' | 'indicativeChangePercent'
>;

const MAX_SYMBOL = 12;
const MAX_TITLE = 80;

/** A symbol as text; never empty, because platforms refuse an empty title. */
export const codeText = (symbol: string): string => plainLine(symbol, MAX_SYMBOL) || 'Alert';

/** '▲ +1.7%'; null if unknown. */
function changeText(percent: number | null): string | null {
  if (percent === null || !Number.isFinite(percent)) return null;
  const text = formatSigned(percent, 1);
  if (!/[1-9]/.test(text)) return `${text}%`;
  return `${percent > 0 ? '▲' : '▼'} ${text}%`;
}

/**
 * The title of a message: 'BHP 50.61 ▲ +1.7%', in the auction 'BHP match 50.61 ▲ +1.7%', in a halt 'BHP halted 50.61
 * ▲ +1.7%'; only the code if nothing is known.
 */
export function stockTitle(symbol: string, stock: MessageStock | null): string {
  const code = codeText(symbol);
  if (!stock) return code;
  const isAuction = stock.status === 'Pre Open' && stock.match_price !== null;
  const price = isAuction ? stock.match_price : stock.last;
  if (price === null) return code;
  const change = changeText(isAuction ? stock.indicativeChangePercent : stock.change_percent);
  const state = isAuction ? 'match' : (haltOf(stock)?.toLowerCase() ?? null);
  const parts = [code, state, priceText(price), change];
  return plainLine(parts.filter((part) => part !== null).join(' '), MAX_TITLE);
}

/** Caches `stockTitle`, because many alerts are on one stock, until a value in the title changes. */
export function createStockTitles(): typeof stockTitle {
  const kept = new Map<string, { of: MessageStock; title: string }>();
  return (symbol, stock) => {
    if (!stock) return stockTitle(symbol, stock);
    const known = kept.get(symbol);
    if (known && isSameShown(known.of, stock)) return known.title;
    const { status, last, match_price, change_percent, indicativeChangePercent } = stock;
    const title = stockTitle(symbol, stock);
    kept.set(symbol, {
      of: { status, last, match_price, change_percent, indicativeChangePercent },
      title,
    });
    return title;
  };
}

const isSameShown = (a: MessageStock, b: MessageStock): boolean =>
  a.last === b.last &&
  a.change_percent === b.change_percent &&
  a.status === b.status &&
  a.match_price === b.match_price &&
  a.indicativeChangePercent === b.indicativeChangePercent;

/** The stock's page: the part of the address from the `#` on. */
export const symbolPage = (symbol: string): string =>
  `#/watchlist?symbol=${encodeURIComponent(codeText(symbol))}`;

/** Null without a public address. */
export const symbolLink = (symbol: string, publicUrl: string | null): ChatMessage['link'] =>
  publicUrl === null
    ? null
    : {
        text: `Open ${codeText(symbol)} in Bellbird`,
        url: `${publicUrl}/${symbolPage(symbol)}`,
      };
