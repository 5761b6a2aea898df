import type { WatchlistItem } from '../../rules/watchlist.ts';
import { normaliseSymbol } from '../../../../market/rules/liveSymbols.ts';
import { readCount, readList, readRecord, readText } from '../../../../lib/read.ts';
import { readAnswer } from '../../../../../web/api/client.ts';

function readItem(value: unknown): WatchlistItem | null {
  const { id, symbol, alertCount } = readRecord(value);
  const [known, code] = [readCount(id), normaliseSymbol(readText(symbol) ?? '')];
  return known === null || code === ''
    ? null
    : { id: known, symbol: code, alertCount: readCount(alertCount) ?? 0 };
}

/** GET /watchlist (specification 7.4); a symbol that is there twice counts once. */
export function readItems(body: unknown): { items: WatchlistItem[] } {
  const items = readList(readAnswer(body).items, readItem);
  return { items: [...new Map(items.map((item) => [item.symbol, item])).values()] };
}

/** POST /watchlist (specification 7.4): the item, alone or as a member. @returns null when it is none */
export function readAdded(body: unknown): WatchlistItem | null {
  const answer = readAnswer(body);
  return readItem(answer.item ?? answer);
}
