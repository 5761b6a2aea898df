import type { SavedAlert, KnownAlert, Step } from './alerts/editorState.ts';
import {
  evaluation,
  triggersAnswer,
  alert,
  alertConflict,
  alertsAnswer,
  type trigger,
} from '../../answers/alert.ts';
import { backtest } from '../../answers/backtest.ts';
import { addedAnswer, itemsAnswer, watchlist, watchlistItem } from '../../answers/watchlist.ts';
import type { EvaluationView } from '../../rules/alertView.ts';
import type { AlertPayload } from '../../rules/alertDraft.ts';
import type { BacktestedAlert, Backtest } from '../../rules/backtest.ts';
import type { WatchlistItem, WatchlistView } from '../../rules/watchlist.ts';
import { ApiError, ifMissing, NETWORK_ERROR, readAnswer, readerOf, request } from '#web/api/client.ts';
import type { SaveAnswer } from './alerts/alertEditor.ts';
import type { Known } from '#lib/contract/fields.ts';
import { attentionAnswer } from '../../answers/attention.ts';
import { countAlert } from '../shared/alertRequests.ts';
import { MESSAGES } from '#texts/messages.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';

/** Members that an older server omits are null. */
export type PastTrigger = Known<typeof trigger>;

/** @param symbol used if the answer has none */
const savedAlert = ({ arms_in_ms: armsIn, ...given }: KnownAlert, symbol: string): SavedAlert => ({
  ...given,
  symbol: given.symbol || symbol,
  armsAt: armsIn === null ? null : Date.now() + armsIn,
});

const readAll = readerOf(alertsAnswer);

/** GET /alerts?symbol= (specification 7.4). */
export const readAlerts =
  (symbol: string) =>
  (body: unknown): { alerts: SavedAlert[] } => ({
    alerts: readAll(body).alerts.map((one) => savedAlert(one, symbol)),
  });

export type Sent = {
  symbol: string;
  id: number | null;
  payload: AlertPayload | null;
  before: SavedAlert | null;
};

/**
 * Reads the answer of POST or PATCH, which has at least the id and the active state (specification 7.4). Missing
 * members are taken from the request, then from `before`.
 * @returns null if it names no alert
 */
function readSaved(body: unknown, { symbol, id, payload, before }: Sent): SavedAlert | null {
  const known = alert.read({ ...before, ...payload, id, ...readAnswer(body) });
  return known && savedAlert(known, symbol);
}

/** The current alert from a 409 answer; null for other answers. */
export function readConflict(
  body: unknown,
  symbol: string,
): { alert: SavedAlert | null; error: string } | null {
  const known = alertConflict.read(readAnswer(body));
  return known && { error: known.error, alert: known.alert && savedAlert(known.alert, symbol) };
}

/** The request continues after the page is closed. */
const KEEP = { keepalive: true };

export async function fetchItems(list: number | null): Promise<WatchlistItem[]> {
  const query = list === null ? {} : { list };
  const { items } = await request('GET /api/watchlist', { query, read: readerOf(itemsAnswer) });
  return [...new Map(items.map((item) => [item.symbol, item])).values()];
}

/** Adds a symbol to a list (null for the first). If the symbol is already on it, returns the existing item. */
export const postItem = async (symbol: string, list: number | null): Promise<WatchlistItem | null> =>
  addedAnswer.read(
    readAnswer(
      await request('POST /api/watchlist', { body: { symbol, ...(list === null ? {} : { list }) } }),
    ),
  );

export const patchItem = async (
  id: number,
  change: { note?: string; target?: number | null },
): Promise<WatchlistItem | null> =>
  watchlistItem.read(readAnswer(await request('PATCH /api/watchlist/:id', { params: { id }, body: change })));

export const postList = async (name: string): Promise<WatchlistView | null> =>
  watchlist.read(readAnswer(await request('POST /api/watchlists', { body: { name } })));

export async function patchList(id: number, change: { name?: string; position?: number }): Promise<void> {
  await request('PATCH /api/watchlists/:id', { params: { id }, body: change });
}

export async function deleteListOf(id: number): Promise<void> {
  await request('DELETE /api/watchlists/:id', { params: { id } });
}

/** Removes an item; its alerts are deleted if no other list has the symbol. */
export async function deleteItem(id: number): Promise<void> {
  await request('DELETE /api/watchlist/:id', { params: { id } });
}

export const fetchAlerts = async (symbol: string): Promise<SavedAlert[]> =>
  (await request('GET /api/alerts', { query: { symbol }, read: readAlerts(symbol) })).alerts;

export const fetchAllAlerts = async (): Promise<SavedAlert[]> =>
  (await request('GET /api/alerts', { query: {}, read: readAlerts('') })).alerts;

const bodyOf = (symbol: string, payload: AlertPayload) => ({ symbol, ...payload });

async function postAlert(symbol: string, step: Step & { kind: 'create' }): Promise<SaveAnswer> {
  const { payload, draft } = step;
  const body = { ...bodyOf(symbol, payload), ...(draft.active ? {} : { active: false }) };
  const answer = await request('POST /api/alerts', { body, ...KEEP });
  const alert = readSaved(answer, { symbol, id: null, payload, before: null });
  // An alert without an id could never be changed.
  if (alert === null) throw new ApiError(NETWORK_ERROR, 502, answer);
  if (draft.active) countAlert();
  return { isConflict: false, alert };
}

const switched = (before: SavedAlert | null, step: Step): SavedAlert | null =>
  before !== null && step.kind === 'active' ? { ...before, active: step.active } : before;

/**
 * Sends a save of an editor.
 * @param before last known server version
 * @returns the current alert; null if it was deleted in the meantime
 * @throws ApiError; 404 if the alert no longer exists
 */
export async function sendStep(symbol: string, step: Step, before: SavedAlert | null): Promise<SaveAnswer> {
  if (step.kind === 'create') return postAlert(symbol, step);
  const payload = step.kind === 'active' ? null : step.payload;
  const version = step.kind === 'active' || step.version === null ? {} : { version: step.version };
  const body = step.kind === 'active' ? { active: step.active } : bodyOf(symbol, step.payload);
  const answer = await request('PATCH /api/alerts/:id', {
    params: { id: step.id },
    body: { ...body, ...version },
    ...KEEP,
  });
  const conflict = readConflict(answer, symbol);
  if (conflict === null) {
    const sent = { symbol, id: step.id, payload, before: switched(before, step) };
    return { isConflict: false, alert: readSaved(answer, sent) };
  }
  const theirs = conflict.alert ?? (await fetchAlerts(symbol)).find(({ id }) => id === step.id) ?? null;
  return { isConflict: true, alert: theirs };
}

/**
 * Reverts the pending change of an alert.
 * @returns the current alert, and why the undo was refused (null on success)
 */
export async function postUndo(
  before: SavedAlert,
): Promise<{ alert: SavedAlert | null; refusal: string | null }> {
  const { id, symbol, version } = before;
  const answer = await request('POST /api/alerts/:id/undo', {
    params: { id },
    body: version === null ? {} : { version },
  });
  const conflict = readConflict(answer, symbol);
  if (conflict !== null) return { alert: conflict.alert, refusal: conflict.error };
  return { alert: readSaved(answer, { symbol, id, payload: null, before }), refusal: null };
}

export async function endSnooze(id: number): Promise<void> {
  await request('PATCH /api/alerts/:id', { params: { id }, body: { snoozed_until: null } });
}

/** @throws ApiError; 404 if it is already gone */
export async function deleteAlert(id: number): Promise<void> {
  await request('DELETE /api/alerts/:id', { params: { id } });
}

export const fetchEvaluation = (id: number): Promise<EvaluationView> =>
  request('GET /api/alerts/:id/evaluation', { params: { id }, read: readerOf(evaluation) });

export const fetchTriggers = async (id: number): Promise<PastTrigger[]> =>
  (await request('GET /api/alerts/:id/triggers', { params: { id }, read: readerOf(triggersAnswer) }))
    .triggers;

export const runBacktest = (
  symbol: string,
  { logic, cooldownMinutes }: BacktestedAlert,
  signal: AbortSignal,
): Promise<Backtest> =>
  request('POST /api/alerts/rehearse', {
    body: { symbol, logic_json: logic, cooldown_minutes: cooldownMinutes },
    signal,
    read: readerOf(backtest),
  });

type AttentionShown = Known<typeof attentionAnswer>;
export type ReasonShown = AttentionShown['reasons'][number];
export type LoadedAttention = Loaded<AttentionShown>;

const readAttention = readerOf(attentionAnswer);

/** Fetches the alerts that need attention; none from a server with only the specified routes. */
const fetchAttention = (): Promise<AttentionShown> =>
  request('GET /api/alerts/attention', { read: readAttention }).catch(ifMissing(readAttention({})));

/** Reload interval, ms: a chat may stop accepting messages while the page is open. */
const CHECK_EVERY_MS = 5 * 60_000;

/** Reloads with each new `again` and every few minutes. */
export const useAttention = (again: unknown): LoadedAttention =>
  useLoaded(fetchAttention, MESSAGES.watchlist.loadAttention, { again, everyMs: CHECK_EVERY_MS });

export async function dismissReasons(reasons: readonly ReasonShown[], dismissed: boolean): Promise<void> {
  const keys = reasons.map(({ key }) => key);
  await request('PUT /api/alerts/attention/dismissed', { body: { keys, dismissed } });
}

export async function saveWeekly(weekly: boolean): Promise<void> {
  await request('PUT /api/alerts/attention/weekly', { body: { weekly } });
}
