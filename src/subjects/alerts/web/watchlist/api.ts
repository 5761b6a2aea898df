import { evaluation, triggersAnswer } from '#subjects/alerts/answers/alert.ts';
import { rehearsal } from '#subjects/alerts/answers/rehearsal.ts';
import { addedAnswer, itemsAnswer, watchlist, watchlistItem } from '#subjects/alerts/answers/watchlist.ts';
import type { EvaluationView } from '#subjects/alerts/rules/alertView.ts';
import type { AlertPayload } from '#subjects/alerts/rules/alertDraft.ts';
import type { RehearsedAlert, Rehearsal } from '#subjects/alerts/rules/rehearsal.ts';
import type { WatchlistItem, WatchlistView } from '#subjects/alerts/rules/watchlist.ts';
import { barsAnswer } from '#market/bars/rules/barsAnswer.ts';
import { type BarsAnswer, type ChartTimeframe, MAX_BARS } from '#market/bars/rules/bars.ts';
import { ApiError, request, NETWORK_ERROR, readAnswer } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';
import type { SaveAnswer } from './alerts/alertEditor.ts';
import type { Step } from './alerts/editorState.ts';
import { type PastTrigger, readAlerts, readConflict, readSaved, type SavedAlert } from './savedAlert.ts';

/** A change outlives the page that is left with it. */
const KEEP = { keepalive: true };

/** The symbols on a list, on the first one for null; one that is there twice counts once. */
export async function fetchItems(list: number | null): Promise<WatchlistItem[]> {
  const query = list === null ? {} : { list };
  const { items } = await request('GET /api/watchlist', { query, read: readerOf(itemsAnswer) });
  return [...new Map(items.map((item) => [item.symbol, item])).values()];
}

/** The newest bars of a stock that begin before a moment, epoch ms. @throws ApiError with the server's sentence */
export const fetchBarsBefore = (symbol: string, tf: ChartTimeframe, before: number): Promise<BarsAnswer> =>
  request('GET /api/data/bars', {
    query: { symbol, tf, before, limit: MAX_BARS },
    read: readerOf(barsAnswer),
  });

/**
 * Adds a symbol to a list, to the first one for null; one that is there already is answered as it is.
 * @throws ApiError with the server's sentence
 */
export const postItem = async (symbol: string, list: number | null): Promise<WatchlistItem | null> =>
  addedAnswer.read(
    readAnswer(
      await request('POST /api/watchlist', { body: { symbol, ...(list === null ? {} : { list }) } }),
    ),
  );

/** Changes what is beside a symbol. @throws ApiError with the server's sentence */
export const patchItem = async (
  id: number,
  change: { note?: string; target?: number | null },
): Promise<WatchlistItem | null> =>
  watchlistItem.read(readAnswer(await request('PATCH /api/watchlist/:id', { params: { id }, body: change })));

/** @throws ApiError with the server's sentence */
export const postList = async (name: string): Promise<WatchlistView | null> =>
  watchlist.read(readAnswer(await request('POST /api/watchlists', { body: { name } })));

/** Renames a list or moves it. @throws ApiError with the server's sentence */
export async function patchList(id: number, change: { name?: string; position?: number }): Promise<void> {
  await request('PATCH /api/watchlists/:id', { params: { id }, body: change });
}

/** Deletes a list with what stands on it. @throws ApiError with the server's sentence */
export async function deleteListOf(id: number): Promise<void> {
  await request('DELETE /api/watchlists/:id', { params: { id } });
}

/** Removes a symbol and its alerts. @throws ApiError with the server's sentence */
export async function deleteItem(id: number): Promise<void> {
  await request('DELETE /api/watchlist/:id', { params: { id } });
}

/** The alerts on a symbol, oldest first. */
export const fetchAlerts = async (symbol: string): Promise<SavedAlert[]> =>
  (await request('GET /api/alerts', { query: { symbol }, read: readAlerts(symbol) })).alerts;

/** All alerts on stocks, by symbol. @throws ApiError with the server's sentence */
export const fetchAllAlerts = async (): Promise<SavedAlert[]> =>
  (await request('GET /api/alerts', { query: {}, read: readAlerts('') })).alerts;

const bodyOf = (symbol: string, payload: AlertPayload) => ({ symbol, ...payload });

async function postAlert(symbol: string, step: Step & { kind: 'create' }): Promise<SaveAnswer> {
  const { payload, draft } = step;
  const body = { ...bodyOf(symbol, payload), ...(draft.active ? {} : { active: false }) };
  const answer = await request('POST /api/alerts', { body, ...KEEP });
  const alert = readSaved(answer, { symbol, id: null, payload, before: null });
  // Without its id it could never be changed.
  if (alert === null) throw new ApiError(NETWORK_ERROR, 502, answer);
  return { isConflict: false, alert };
}

/** The alert before a request, with what the request switches. */
const switched = (before: SavedAlert | null, step: Step): SavedAlert | null =>
  before !== null && step.kind === 'active' ? { ...before, active: step.active } : before;

/**
 * Sends what an editor has to save.
 * @param before the alert as the server held it
 * @returns the alert as it stands, null when it was deleted meanwhile
 * @throws ApiError with the server's sentence; 404 when there is no such alert any more
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
 * Takes back what an alert that waits to be armed was changed to.
 * @returns the alert as it stands, and why nothing was taken back; null when it was
 * @throws ApiError with the server's sentence
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

/** Ends the snooze of an alert. @throws ApiError with the server's sentence */
export async function endSnooze(id: number): Promise<void> {
  await request('PATCH /api/alerts/:id', { params: { id }, body: { snoozed_until: null } });
}

/** Deletes an alert. @throws ApiError with the server's sentence; 404 when it is gone already */
export async function deleteAlert(id: number): Promise<void> {
  await request('DELETE /api/alerts/:id', { params: { id } });
}

/** What the conditions of a saved alert see now. */
export const fetchEvaluation = (id: number): Promise<EvaluationView> =>
  request('GET /api/alerts/:id/evaluation', { params: { id }, read: readerOf(evaluation) });

/** The last times that an alert fired, the newest first. */
export const fetchTriggers = async (id: number): Promise<PastTrigger[]> =>
  (await request('GET /api/alerts/:id/triggers', { params: { id }, read: readerOf(triggersAnswer) }))
    .triggers;

/** When conditions would have been met in the past. @throws ApiError with the server's sentence */
export const rehearse = (symbol: string, { logic, cooldownMinutes }: RehearsedAlert): Promise<Rehearsal> =>
  request('POST /api/alerts/rehearse', {
    body: { symbol, logic_json: logic, cooldown_minutes: cooldownMinutes },
    read: readerOf(rehearsal),
  });
