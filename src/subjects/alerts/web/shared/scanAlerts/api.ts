import { scanAlert, scanAlertsAnswer, scanRehearsal } from '#subjects/alerts/answers/scanAlert.ts';
import { type Destinations, SNOOZE_MS } from '#subjects/alerts/rules/alert.ts';
import type { SCAN_OPTIONS, Told } from '#subjects/alerts/answers/options.ts';
import type {
  ScanAlertInput,
  ScanAlertView,
  ScanRehearsal,
} from '#subjects/alerts/rules/scanAlerts/scanAlert.ts';
import { MESSAGES } from '#texts/messages.ts';
import { ApiError, request, NETWORK_ERROR, readRefusal } from '#web/api/client.ts';
import { serverNow } from '#web/live/market.ts';

/** When a snooze that begins now ends, ISO 8601. */
export const snoozeEnd = (): string => new Date(serverNow() + SNOOZE_MS).toISOString();

/** Has an alert say nothing for an hour. @throws ApiError with the server's sentence */
export async function snoozeAlert(id: number): Promise<void> {
  await request('PATCH /api/alerts/:id', { params: { id }, body: { snoozed_until: snoozeEnd() } });
}

/** Switches an alert on or off. @throws ApiError with the server's sentence */
export async function switchAlert(id: number, active: boolean): Promise<void> {
  await request('PATCH /api/alerts/:id', { params: { id }, body: { active } });
}

/** A scan alert as a person chooses it. */
export type ScanAlertDraft = Told<typeof SCAN_OPTIONS> & Pick<ScanAlertInput, 'scan' | 'destinations'>;

/** The user's scan alerts, oldest first, and how many may be on. @throws ApiError with the server's sentence */
export const fetchScanAlerts = () => request('GET /api/scan-alerts', { read: scanAlertsAnswer.read });

/** @throws ApiError for an answer without an alert: with the server's sentence where another change came first */
function saved(answer: unknown): ScanAlertView {
  const alert = scanAlert.read(answer);
  if (alert !== null) return alert;
  const refusal = readRefusal(answer, MESSAGES.watchlist.saveAlert);
  throw refusal ? new ApiError(refusal.message, 409, answer) : new ApiError(NETWORK_ERROR, 502, answer);
}

/** @param before null for a new one @throws ApiError with the server's sentence, also where another change came first */
export async function saveScanAlert(
  draft: ScanAlertDraft,
  before: ScanAlertView | null,
): Promise<ScanAlertView> {
  if (before === null) return saved(await request('POST /api/scan-alerts', { body: draft }));
  const { id, version } = before;
  return saved(await request('PATCH /api/scan-alerts/:id', { params: { id }, body: { ...draft, version } }));
}

/** Changes some of a scan alert. @throws ApiError with the server's sentence */
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

/** Has a scan alert say nothing for an hour. @throws ApiError with the server's sentence */
export const snoozeScanAlert = (id: number): Promise<void> =>
  switchScanAlert(id, { snoozed_until: snoozeEnd() });

/** @throws ApiError with the server's sentence */
export async function deleteScanAlert(id: number): Promise<void> {
  await request('DELETE /api/scan-alerts/:id', { params: { id } });
}

/** Has a stock not told today, or told again. @throws ApiError with the server's sentence */
export async function muteStock(id: number, symbol: string, muted: boolean): Promise<void> {
  saved(await request('POST /api/scan-alerts/:id/mutes', { params: { id }, body: { symbol, muted } }));
}

/** Runs an alert over the days of the past. @param signal ends it. @throws ApiError with the server's sentence */
export const rehearseScanAlert = (draft: ScanAlertDraft, signal: AbortSignal): Promise<ScanRehearsal> =>
  request('POST /api/scan-alerts/rehearse', { body: draft, signal, read: scanRehearsal.read });
