import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { livePrice } from '../../../market/rules/livePrice.ts';
import type { Stock } from '../../../market/rules/stock.ts';
import { MESSAGES } from '../../../texts/messages.ts';
import { stocks } from '../../../../web/live/market.ts';
import { onReconnect } from '../../../../web/shared/onReconnect.ts';
import { session } from '../../accounts/web/shared/session/session.ts';
import { fetchBoard, fetchMine } from './api.ts';
import type { Board, BoardCall, MyCall } from './api.ts';

/** `data` is null before the first load that succeeds; after a later one that fails it is what was loaded last. */
export type Loaded<T> = { data: T | null; isLoading: boolean; error: string | null };

/**
 * Loads something into a signal, after a failure again when the network or the server is back. When loads overlap, the one that was started last wins, whatever the order of the
 * answers.
 * @param failed the error to show when a load fails; what was loaded before stays beside it
 */
function createLoader<T>(fetchData: () => Promise<T>, failed: string) {
  const state = signal<Loaded<T>>({ data: null, isLoading: false, error: null });
  let newest = 0;
  /** Whose the data is: others may see less of it. */
  let owner: string | null = null;

  /** @param isAsked by a click on Refresh: when it fails, the list is emptied (specification, section 8.2) */
  async function load(isAsked = false): Promise<void> {
    newest += 1;
    const own = newest;
    const caller = session.peek().accessToken;
    state.value = { ...state.peek(), isLoading: true, error: null };
    try {
      const data = await fetchData();
      if (own !== newest) return;
      owner = caller;
      state.value = { data, isLoading: false, error: null };
    } catch (problem) {
      console.warn(failed, problem);
      if (own !== newest) return;
      const data = isAsked || owner !== caller ? null : state.peek().data;
      state.value = { data, isLoading: false, error: failed };
      onReconnect(loadMissing);
    }
  }
  function loadMissing(): void {
    if (state.peek().error !== null) void load();
  }

  return {
    state: state as ReadonlySignal<Loaded<T>>,
    load,
    reset(): void {
      newest += 1;
      state.value = { data: null, isLoading: false, error: null };
    },
  };
}

const boardLoader = createLoader(fetchBoard, MESSAGES.calls.load);
const myCallsLoader = createLoader(fetchMine, MESSAGES.calls.loadMine);

/**
 * A recent call with the live last price of its symbol, AUD; null when the live list does not have it, and for a call of
 * another source than the one that runs.
 */
export type RecentRow = { call: BoardCall; last: number | null };

/** Leaderboard and recent calls. */
export const board: ReadonlySignal<Loaded<Board>> = boardLoader.state;
/** The signed-in user's own calls, newest first. */
export const myCalls: ReadonlySignal<Loaded<MyCall[]>> = myCallsLoader.state;

/** Loads the board again; a failure is shown by its `error`, beside what was loaded before. */
export const loadBoard = (): Promise<void> => boardLoader.load();
/** As `loadBoard`, by a click on Refresh: a failure empties the lists. */
export const refreshBoard = (): Promise<void> => boardLoader.load(true);
/** Loads the user's own calls again; a failure is shown by `myCalls`' `error`. */
export const loadMyCalls = (): Promise<void> => myCallsLoader.load();
/** Forgets the user's own calls, when the page is left or the session ends. */
export const resetMyCalls = (): void => myCallsLoader.reset();

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
