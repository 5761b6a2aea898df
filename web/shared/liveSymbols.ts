import { matchSymbols } from '../../src/domain/market/symbolSearch.ts';
import { meta, stocks } from './live/market.ts';

/** The symbols of the live list that start with what was typed, for a symbol box. */
export const searchLiveSymbols = (typed: string): string[] => matchSymbols(typed, stocks.peek().keys());

/** Whether the live list has a symbol (upper case). */
export const isLiveSymbol = (symbol: string): boolean => stocks.peek().has(symbol);

/** Whether the server has given a live list at all: a window that watches few stocks has few of it. */
export const hasLiveList = (): boolean => (meta.peek()?.stockCount ?? 0) > 0;

/** The company of a symbol; '' for one that the live list does not have. */
export const companyName = (symbol: string): string => stocks.peek().get(symbol)?.name ?? '';
