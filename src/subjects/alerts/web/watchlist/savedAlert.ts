import { alert, alertConflict, alertsAnswer, type trigger } from '#subjects/alerts/answers/alert.ts';
import type { AlertPayload } from '#subjects/alerts/rules/alertDraft.ts';
import type { Known } from '#lib/contract/fields.ts';
import { readAnswer } from '#web/api/client.ts';
import { readerOf } from '#web/api/readerOf.ts';

type KnownAlert = Known<typeof alert>;
/**
 * An alert as the server holds it. `logic_json` is null when the page can't read it, as that of a newer server: such an
 * alert is switched and deleted, but not edited. `version` is null where the server counts none.
 */
export type SavedAlert = Omit<KnownAlert, 'arms_in_ms'> & {
  /** It was already true as it was saved, and fires then unless that is undone, epoch ms by this machine's clock. */
  armsAt?: number | null;
};

/** A trigger in the history of an alert; what an older server does not say is null. */
export type PastTrigger = Known<typeof trigger>;

/** @param symbol of an answer that does not name it */
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

/** What was sent of an alert, and how it stood before. */
export type Sent = {
  symbol: string;
  id: number | null;
  payload: AlertPayload | null;
  before: SavedAlert | null;
};

/**
 * What POST and PATCH answer: at least the id and whether it is active (specification 7.4); what is not answered is as
 * it was sent, or as it was before.
 * @returns null when it names no alert
 */
export function readSaved(body: unknown, { symbol, id, payload, before }: Sent): SavedAlert | null {
  const known = alert.read({ ...before, ...payload, id, ...readAnswer(body) });
  return known && savedAlert(known, symbol);
}

/** The alert as it stands, of an answer which says that another change came first (409); null when it is none. */
export function readConflict(
  body: unknown,
  symbol: string,
): { alert: SavedAlert | null; error: string } | null {
  const known = alertConflict.read(readAnswer(body));
  return known && { error: known.error, alert: known.alert && savedAlert(known.alert, symbol) };
}
