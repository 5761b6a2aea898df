import { type ReadonlySignal, signal } from '@preact/signals-react';
import { scanAlert, scanAlertsAnswer, scanBacktest } from '../../answers/scanAlert.ts';
import { type Destinations } from '#subjects/alerts/rules/recipient.ts';
import { NOWHERE, SNOOZE_MS } from '#subjects/alerts/rules/alert.ts';
import { SCAN_OPTIONS, type OptionValues, startOf, valuesOf } from '../../answers/options.ts';
import type {
  ScanAlertInput,
  ScanAlertView,
  ScanBacktest,
} from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import type { WatchedNews, WatchedScan } from '#subjects/alerts/answers/scanAlert.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ApiError, messageOf, NETWORK_ERROR, readRefusal, request } from '#web/api/client.ts';
import { serverNow } from '#web/live/market.ts';
import { filtersOnScreen } from '#market/scanners/rules/filters.ts';
import { filtersOf, isSameScan } from '../../rules/scanAlerts/scanAlertText.ts';
import { useState } from 'react';

/** The end of a snooze that starts now, ISO 8601. */
export const snoozeEnd = (): string => new Date(serverNow() + SNOOZE_MS).toISOString();

export async function snoozeAlert(id: number): Promise<void> {
  await request('PATCH /api/alerts/:id', { params: { id }, body: { snoozed_until: snoozeEnd() } });
}

export async function switchAlert(id: number, active: boolean): Promise<void> {
  await request('PATCH /api/alerts/:id', { params: { id }, body: { active } });
}

export type ScanAlertDraft = OptionValues<typeof SCAN_OPTIONS> &
  Pick<ScanAlertInput, 'scan' | 'destinations'>;

/** An alert with the usual options, shown in the browser only. */
export const newScanAlert = (scan: WatchedScan): ScanAlertDraft => ({
  ...valuesOf(SCAN_OPTIONS, startOf(SCAN_OPTIONS)),
  scan,
  destinations: NOWHERE,
});

export type NewsAlertDraft = ScanAlertDraft & { scan: WatchedNews };

const SENSITIVE_NEWS: WatchedNews = {
  type: 'announcements',
  kinds: [],
  words: [],
  filters: { minValue: 0, sensitiveOnly: true },
};

/** An alert on the price-sensitive announcements of all lists, with the given differences. */
export const newNewsAlert = (change: Partial<NewsAlertDraft> = {}): NewsAlertDraft => ({
  ...newScanAlert(SENSITIVE_NEWS),
  scan: SENSITIVE_NEWS,
  scope: 'watchlist',
  // One message a minute with a count, because many companies report at the same time.
  minute_maximum: 1,
  day_maximum: 10,
  ...change,
});

/** Fetches the user's scan alerts, oldest first, and the limit of active ones. */
export const fetchScanAlerts = () => request('GET /api/scan-alerts', { read: scanAlertsAnswer.read });

/** @throws ApiError if the answer has no alert; with the server's sentence if another change came first */
function saved(answer: unknown): ScanAlertView {
  const alert = scanAlert.read(answer);
  if (alert !== null) return alert;
  const refusal = readRefusal(answer, MESSAGES.watchlist.saveAlert);
  throw refusal ? new ApiError(refusal.message, 409, answer) : new ApiError(NETWORK_ERROR, 502, answer);
}

const made = signal(0);

/** How many alerts were made in this window. */
export const alertsMade: ReadonlySignal<number> = made;

export function countAlert(): void {
  made.value += 1;
}

/** Saves a scan alert. @param before null for a new alert @throws ApiError, also if another change came first */
export async function saveScanAlert(
  draft: ScanAlertDraft,
  before: ScanAlertView | null,
): Promise<ScanAlertView> {
  if (before === null) {
    const made = saved(await request('POST /api/scan-alerts', { body: draft }));
    countAlert();
    return made;
  }
  const { id, version } = before;
  return saved(await request('PATCH /api/scan-alerts/:id', { params: { id }, body: { ...draft, version } }));
}

export async function switchScanAlert(
  id: number,
  change: {
    active?: boolean;
    snoozed_until?: string | null;
    group?: string | null;
    cooldown_minutes?: number;
    destinations?: Destinations;
  },
): Promise<void> {
  saved(await request('PATCH /api/scan-alerts/:id', { params: { id }, body: change }));
}

export const snoozeScanAlert = (id: number): Promise<void> =>
  switchScanAlert(id, { snoozed_until: snoozeEnd() });

export async function deleteScanAlert(id: number): Promise<void> {
  await request('DELETE /api/scan-alerts/:id', { params: { id } });
}

/** Mutes a stock for today, or unmutes it. */
export async function muteStock(id: number, symbol: string, muted: boolean): Promise<void> {
  saved(await request('POST /api/scan-alerts/:id/mutes', { params: { id }, body: { symbol, muted } }));
}

export const backtestScanAlert = (draft: ScanAlertDraft, signal: AbortSignal): Promise<ScanBacktest> =>
  request('POST /api/scan-alerts/rehearse', { body: draft, signal, read: scanBacktest.read });

/** A backtest costs the server more than a save, so it waits for a longer pause. */
export const BACKTEST_PAUSE_MS = 700;

/** Ignores a minimum change, which the filter bar lacks, so that an alert with one belongs to the view. */
const onScreen = (scan: WatchedScan): WatchedScan => ({ ...scan, filters: filtersOnScreen(filtersOf(scan)) });

export async function fetchViewAlerts(): Promise<(view: WatchedScan) => readonly ScanAlertView[]> {
  const { scan_alerts: alerts } = await fetchScanAlerts();
  return (view) =>
    alerts
      .filter(({ scan }) => isSameScan(onScreen(scan), view))
      .toSorted((one, other) => Number(other.active) - Number(one.active));
}

/** Runs one action at a time and keeps the error of the last. @param fallback message for a failure without one */
export function useWork(fallback: string) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const work = async (run: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true);
    setError(null);
    try {
      await run();
      return true;
    } catch (problem) {
      setError(messageOf(problem, fallback));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, error, work, dismiss: () => setError(null) };
}
