import { batch, computed, type ReadonlySignal, signal } from '@preact/signals-react';
import type { Stock } from '#market/rules/stock.ts';
import { livePrice } from '#market/rules/stockState.ts';
import { MESSAGES } from '#texts/messages.ts';
import { stocks } from '#web/live/market.ts';
import { Loader, type LoadState } from '#web/shared/loader.ts';
import { session } from '#subjects/accounts/web/shared/session/session.ts';
import { EMPTY_CALL_FORM } from '../rules/callForm.ts';
import type { CallInput, CheckedCall } from '../rules/callRules.ts';
import { isRecord } from '#lib/json.ts';
import { userOf } from '#subjects/accounts/web/shared/session/interruption.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { TAKE_BACK_MS } from '../rules/resultText.ts';
import { leaderboardAnswer, mineAnswer } from '../answers/board.ts';
import type { Call, ComingEnd, Mark } from '../rules/types.ts';
import type { Refusal } from '#lib/result.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readerOf, readRefusal, request } from '#web/api/client.ts';

/** Members that the server omits are null here. */
export type Board = Known<typeof leaderboardAnswer>;
export type BoardCall = Board['calls'][number];
export type Submitter = Board['leaderboard'][number];
/** A call of the user; `dueAt` is when a pending end takes effect, ms of `performance.now()`. */
export type MyCall = Omit<Known<typeof mineAnswer>['calls'][number], 'ending'> & {
  ending: (Pick<ComingEnd, 'kind'> & { dueAt: number }) | null;
};

/** New values of marks: a trade's price, a price, or whether prices are followed. */
export type SentMarks = Partial<Record<Mark, { price: number } | number | boolean | null>>;

const fetchBoard = (): Promise<Board> =>
  request('GET /api/calls/leaderboard', { read: readerOf(leaderboardAnswer) });

/** Fetches the user's calls, newest first. */
async function fetchMine(): Promise<MyCall[]> {
  const { calls } = await request('GET /api/calls/mine', { read: readerOf(mineAnswer) });
  const now = performance.now();
  return calls.map((call) => ({
    ...call,
    ending: call.ending && { kind: call.ending.kind, dueAt: now + call.ending.inMs },
  }));
}

/**
 * @param key an idempotency key: sending the same call again, for example after a lost answer, creates no
 * second one
 * @throws ApiError with the server's refusal
 */
export async function postCall(call: CheckedCall, key: string): Promise<void> {
  await request('POST /api/calls', { body: call, headers: { 'idempotency-key': key } });
}

/** Options of requests that end a call. They continue even if the page closes. */
const SOON = { query: { inMs: TAKE_BACK_MS }, keepalive: true };

/**
 * Closes the user's call in ten seconds.
 * @param pocketedValue AUD
 * @returns null, or why it can no longer be closed (409)
 */
export async function closeCall(publicId: Call['publicId'], pocketedValue: number): Promise<Refusal | null> {
  const body = await request('POST /api/calls/:publicId/close', {
    params: { publicId },
    body: { pocketedValue },
    ...SOON,
  });
  return readRefusal(body, MESSAGES.calls.close);
}

/** Cancels the user's call in ten seconds. @returns null, or why it can no longer be cancelled (409) */
export async function cancelCall(publicId: Call['publicId']): Promise<Refusal | null> {
  const body = await request('POST /api/calls/:publicId/cancel', { params: { publicId }, ...SOON });
  return readRefusal(body, MESSAGES.calls.cancel);
}

/** Undoes the end of the user's call. @returns null, or why that is no longer possible (409) */
export async function keepCall(publicId: Call['publicId'], failed: string): Promise<Refusal | null> {
  return readRefusal(
    await request('POST /api/calls/:publicId/keep', { params: { publicId }, keepalive: true }),
    failed,
  );
}

/** Corrects marks of a call; administrators only. @param marks by name; null removes one */
export async function correctCall(
  publicId: Call['publicId'],
  reason: string,
  marks: SentMarks,
): Promise<void> {
  await request('POST /api/admin/calls/:publicId/corrections', {
    params: { publicId },
    body: { reason, marks },
  });
}

const DRAFT_KEY = 'bellbird.callDraft';

const user = (): string | null => userOf(session.peek().accessToken);

/**
 * Keeps the form of this window across a reload, for the same user.
 * @param form null after it was sent or discarded
 */
export function keepDraft(form: CallInput | null): void {
  writeStored(DRAFT_KEY, form === null || user() === null ? null : { user: user(), form }, 'window');
}

const readOwn = (kept: unknown): CallInput | null =>
  isRecord(kept) && kept.user === user() && isRecord(kept.form)
    ? { ...EMPTY_CALL_FORM, ...(kept.form as Partial<CallInput>) }
    : null;

/** The kept form; null for none, or for another user. */
export const readDraft = (): CallInput | null => readStored(DRAFT_KEY, readOwn, 'window');

const boardLoader = new Loader(fetchBoard, () => MESSAGES.calls.load);
const myCallsLoader = new Loader(fetchMine, () => MESSAGES.calls.loadMine);

/** The loader's state without the previous error while it loads. */
const shown = <T>({ state }: Loader<T>): ReadonlySignal<LoadState<T>> =>
  computed(() => (state.value.isLoading ? { ...state.value, error: null } : state.value));

/** `last` is the live price, AUD; null if the live list lacks the symbol, or the call is on another source. */
export type RecentRow = { call: BoardCall; last: number | null };

export const board = shown(boardLoader);
/** The user's calls, newest first. */
export const myCalls = shown(myCallsLoader);

/**
 * On failure, `error` is set and the previous data stays.
 * @param isAsked the user pressed Refresh: a failure then empties the lists (specification, section 8.2)
 */
export async function loadBoard(isAsked = false): Promise<void> {
  const caller = session.peek().accessToken;
  await boardLoader.load(caller);
  const { error, of } = boardLoader.state.peek();
  // A user who logged in meanwhile may not be allowed to see what was loaded.
  if (error !== null && (isAsked || of !== caller)) boardLoader.forgetData();
}
export const refreshBoard = (): Promise<void> => loadBoard(true);
export const loadMyCalls = (): Promise<void> => myCallsLoader.load();
export const resetMyCalls = myCallsLoader.reset;

/** Reloads the board, and the user's calls if they are shown. */
export async function reloadAll(): Promise<void> {
  const isShown = myCallsLoader.state.peek().data !== null;
  await Promise.all([loadBoard(), ...(isShown ? [loadMyCalls()] : [])]);
}

/** Text of a list that failed to load, because it is unknown whether there are calls. */
export const NOT_LOADED = 'The calls could not be loaded.';

/** Decimals of the board's prices: those of a tick, or four if a call has as many. */
export const priceDecimals: ReadonlySignal<number> = computed(() => {
  const prices = board.value.data?.calls.flatMap((call) => [
    call.entryPrice,
    call.targetPrice,
    call.stopLoss,
  ]);
  return prices?.some((price) => price !== null && Number(price.toFixed(3)) !== Number(price.toFixed(4)))
    ? 4
    : 3;
});

export const boardSymbols: ReadonlySignal<readonly string[]> = computed(() => [
  ...new Set(board.value.data?.calls.map(({ symbol }) => symbol)),
]);

/** Live price of a call's symbol, AUD; null if unknown or if the call is on another source. */
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

/** Rows of recent calls. A row without a new price stays the same object, so that it is not drawn again. */
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

const closingId = signal<Call['publicId'] | null>(null);
/** The user's call whose row opens to close it; null once its value has the focus. */
export const closing: ReadonlySignal<Call['publicId'] | null> = closingId;
export const askToClose = (publicId: Call['publicId'] | null): void => {
  closingId.value = publicId;
};

const correctingCall = signal<BoardCall | null>(null);
/** The call that an administrator is correcting. */
export const correcting: ReadonlySignal<BoardCall | null> = correctingCall;
export const correct = (call: BoardCall | null): void => {
  correctingCall.value = call;
};

/** Resets the state between tests. */
export function resetCalls(): void {
  batch(() => {
    boardLoader.reset();
    myCallsLoader.reset();
    correctingCall.value = null;
    closingId.value = null;
  });
}
