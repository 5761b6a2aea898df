import type { WatchlistItem } from '../../../src/domain/alerts/watchlist.ts';
import { CHAT_PLATFORMS, type ChatPlatform } from '../../../src/domain/chats/chatPlatform.ts';
import { normaliseSymbol } from '../../../src/domain/market/liveSymbols.ts';
import { readBoolean, readChoice, readCount, readList, readRecord, readText } from '../../../src/lib/read.ts';
import { readAnswer } from '../../shared/api/client.ts';

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

/** A chat that alerts can be sent to. */
export type LinkedChat = {
  platform: ChatPlatform;
  /** Nothing is sent to it before its person confirmed. */
  confirmed: boolean;
  /** Why nothing can be delivered; null while all is well. */
  broken: string | null;
};

const readPlatform = readChoice<ChatPlatform>(CHAT_PLATFORMS);

function readChat(value: unknown): LinkedChat | null {
  const { platform, confirmed, broken } = readRecord(value);
  const known = readPlatform(platform);
  return (
    known && {
      platform: known,
      confirmed: readBoolean(confirmed) ?? true,
      broken: readText(broken) || null,
    }
  );
}

/** GET /settings/linked-chats (specification 7.1): a list. */
export const readLinkedChats = (body: unknown): LinkedChat[] => readList(body, readChat);
