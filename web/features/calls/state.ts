import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import { livePrice } from '../../../src/domain/market/livePrice.ts';
import { MESSAGES } from '../../../src/domain/messages.ts';
import { stocks } from '../../shared/live/market.ts';
import { fetchBoard, fetchMine } from './api.ts';
import type { Board, BoardCall, MyCall } from './readCalls.ts';

/** What was loaded last; null before the first time and after a failure. */
export type Loaded<T> = { data: T | null; isLoading: boolean; error: string | null };

/** Loads something again and again: the answer of an older request never replaces that of a newer one. */
function createLoader<T>(fetchIt: () => Promise<T>, failed: string) {
  const state = signal<Loaded<T>>({ data: null, isLoading: false, error: null });
  let newest = 0;
  return {
    state: state as ReadonlySignal<Loaded<T>>,
    async load(): Promise<void> {
      newest += 1;
      const own = newest;
      state.value = { ...state.peek(), isLoading: true, error: null };
      try {
        const data = await fetchIt();
        if (own === newest) state.value = { data, isLoading: false, error: null };
      } catch (problem) {
        console.warn(failed, problem);
        if (own === newest) state.value = { data: null, isLoading: false, error: failed };
      }
    },
    forget(): void {
      newest += 1;
      state.value = { data: null, isLoading: false, error: null };
    },
  };
}

const boardLoader = createLoader(fetchBoard, MESSAGES.calls.load);
const mineLoader = createLoader(fetchMine, MESSAGES.calls.loadMine);

/** A recent call with the live last price of its symbol, AUD; null when the list does not have it. */
export type RecentRow = { call: BoardCall; last: number | null };

/** Leaderboard and recent calls; a failed load empties them. */
export const board: ReadonlySignal<Loaded<Board>> = boardLoader.state;
/** The signed-in user's own calls. */
export const mine: ReadonlySignal<Loaded<MyCall[]>> = mineLoader.state;

export const loadBoard = (): Promise<void> => boardLoader.load();
export const loadMine = (): Promise<void> => mineLoader.load();
/** Forgets the own calls, when the dialog closes or the session ends. */
export const forgetMine = (): void => mineLoader.forget();

/** After something was submitted, closed or cancelled. */
export async function reloadAll(isMineOpen: boolean): Promise<void> {
  await Promise.all([loadBoard(), ...(isMineOpen ? [loadMine()] : [])]);
}

let shown: readonly RecentRow[] = [];

/** Recent calls with their live prices; rows whose price did not move stay identical. */
export const recentRows: ReadonlySignal<readonly RecentRow[]> = computed(() => {
  const calls = board.value.data?.calls ?? [];
  const live = stocks.value;
  let isSame = calls.length === shown.length;
  const next = calls.map((call, index): RecentRow => {
    const before = shown[index];
    const last = livePrice(live.get(call.symbol));
    if (before?.call === call && before.last === last) return before;
    isSame = false;
    return { call, last };
  });
  if (!isSame) shown = next;
  return shown;
});

/** Forgets everything; for tests. */
export function resetCalls(): void {
  batch(() => {
    boardLoader.forget();
    mineLoader.forget();
  });
}
