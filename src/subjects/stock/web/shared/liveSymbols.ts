import { computed, type ReadonlySignal } from '@preact/signals-react';
import { searchSymbols } from '#market/rules/symbolSearch.ts';
import { meta, stocks } from '#web/live/market.ts';

/** How many stocks the live list has here: another number is another list to choose from. */
export const liveCount: ReadonlySignal<number> = computed(() => stocks.value.size);

/** The symbols of the live list whose code starts with what was typed, or whose company answers to it, for a symbol box. */
export const searchLiveSymbols = (typed: string): string[] => searchSymbols(typed, stocks.peek());

/** Whether the live list has a symbol (upper case). */
export const isLiveSymbol = (symbol: string): boolean => stocks.peek().has(symbol);

/** Whether the server has given a live list at all: a window that watches few stocks has few of it. */
export const hasLiveList = (): boolean => (meta.peek()?.stockCount ?? 0) > 0;

/** The company of a symbol; '' for one that the live list does not have. */
export const companyName = (symbol: string): string => stocks.peek().get(symbol)?.name ?? '';
