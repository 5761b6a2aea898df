import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { livePrice } from '#market/rules/livePrice.ts';
import type { Stock } from '#market/rules/stock.ts';
import { MESSAGES } from '#texts/messages.ts';
import { stocks } from '#web/live/market.ts';
import { Loader, type LoadState } from '#web/shared/loader.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { fetchBoard, fetchMine, type Board, type BoardCall } from './api.ts';

const boardLoader = new Loader(fetchBoard, () => MESSAGES.calls.load);
const myCallsLoader = new Loader(fetchMine, () => MESSAGES.calls.loadMine);

/** What is shown of a load: while the next one is under way nothing is said of one that failed. */
const shown = <T>({ state }: Loader<T>): ReadonlySignal<LoadState<T>> =>
  computed(() => (state.value.isLoading ? { ...state.value, error: null } : state.value));

/**
 * A recent call with the live last price of its symbol, AUD; null when the live list does not have it, and for a call of
 * another source than the one that runs.
 */
export type RecentRow = { call: BoardCall; last: number | null };

/** Leaderboard and recent calls. */
export const board = shown(boardLoader);
/** The signed-in user's own calls, newest first. */
export const myCalls = shown(myCallsLoader);

/**
 * Loads the board again; a failure is shown by its `error`, beside what was loaded before.
 * @param isAsked by a click on Refresh: when it fails, the lists are emptied (specification, section 8.2)
 */
export async function loadBoard(isAsked = false): Promise<void> {
  const caller = session.peek().accessToken;
  await boardLoader.load(caller);
  const { error, of } = boardLoader.state.peek();
  // Anyone who signed in meanwhile may see less of what was loaded for another.
  if (error !== null && (isAsked || of !== caller)) boardLoader.forgetData();
}
export const refreshBoard = (): Promise<void> => loadBoard(true);
/** Loads the user's own calls again; a failure is shown by `myCalls`' `error`. */
export const loadMyCalls = (): Promise<void> => myCallsLoader.load();
/** Forgets the user's own calls, when the page is left or the session ends. */
export const resetMyCalls = myCallsLoader.reset;

/** Loads again what a submitted, closed or cancelled call has changed. */
export async function reloadAll(isMyCallsOpen: boolean): Promise<void> {
  await Promise.all([loadBoard(), ...(isMyCallsOpen ? [loadMyCalls()] : [])]);
}

/** What an emptied list says: whether there are any is not known. */
export const NOT_LOADED = 'The calls could not be loaded.';

/** The symbols whose prices the page shows. */
export const boardSymbols: ReadonlySignal<readonly string[]> = computed(() => [
  ...new Set(board.value.data?.calls.map(({ symbol }) => symbol)),
]);

/**
 * The live price of a call's symbol, AUD. null when it is not known, and for a call made on another source: prices of the
 * one that runs say nothing of it.
 */
export function lastOf(
  { source, symbol }: Pick<BoardCall, 'source' | 'symbol'>,
  data: Board | null,
  market: ReadonlyMap<string, Stock>,
): number | null {
  const running = data?.source ?? null;
  const isOfRunning = source === null || running === null || source === running;
  return isOfRunning ? livePrice(market.get(symbol)) : null;
}

let shownRows: readonly RecentRow[] = [];

/** Recent calls with their live prices. A row whose price did not move stays the same object, and is not drawn again. */
export const recentRows: ReadonlySignal<readonly RecentRow[]> = computed(() => {
  const { data } = board.value;
  const calls = data?.calls ?? [];
  const market = stocks.value;
  let isSame = calls.length === shownRows.length;
  const rows = calls.map((call, index): RecentRow => {
    const before = shownRows[index];
    const last = lastOf(call, data, market);
    if (before?.call === call && before.last === last) return before;
    isSame = false;
    return { call, last };
  });
  if (!isSame) shownRows = rows;
  return shownRows;
});

const correctingCall = signal<BoardCall | null>(null);
/** The call whose record an administrator puts right; null while none is. */
export const correcting: ReadonlySignal<BoardCall | null> = correctingCall;
/** Opens the correction of a call; null closes it. */
export const correct = (call: BoardCall | null): void => {
  correctingCall.value = call;
};

/** Forgets everything that was loaded; for tests. */
export function resetCalls(): void {
  batch(() => {
    boardLoader.reset();
    myCallsLoader.reset();
    correctingCall.value = null;
  });
}
