import type { AlertPayload } from '../../rules/alertDraft.ts';
import { type AlertView, DELIVERIES, type TriggerView } from '../../rules/alertView.ts';
import type { Logic } from '../../../conditions/rules/condition.ts';
import { isRecord } from '../../../../lib/json.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readIsoTime,
  readList,
  readNumber,
  readRecord,
  readText,
} from '../../../../lib/read.ts';
import { readAnswer } from '../../../../../web/api/client.ts';
import { readLogic } from '../../../conditions/web/shared/readConditions.ts';
import { readSeenConditions } from '../shared/readSeen.ts';

/**
 * An alert as the server holds it. `logic_json` is null when the page can't read it, as that of a newer server: such an
 * alert is switched and deleted, but not edited. `version` is null where the server counts none.
 */
export type SavedAlert = Omit<AlertView, 'logic_json' | 'version' | 'arms_in_ms'> & {
  /** It was already true as it was saved, and fires then unless that is undone, epoch ms by this machine's clock. */
  armsAt?: number | null;
  logic_json: Logic | null;
  version: number | null;
};

export const readDelivery = readChoice(DELIVERIES);

/** Conditions as an object, or as its JSON. */
function readLogicJson(value: unknown): Logic | null {
  if (typeof value !== 'string') return readLogic(value);
  try {
    return readLogic(JSON.parse(value));
  } catch {
    return null; // Not JSON: conditions that this page can't read.
  }
}

function readDestinations(value: unknown): SavedAlert['destinations'] {
  const { telegram, discord } = readRecord(value);
  return { telegram: readBoolean(telegram) ?? false, discord: readBoolean(discord) ?? false };
}

/** @param symbol of an answer that does not name it @returns null without an id */
function readAlert(value: unknown, symbol: string): SavedAlert | null {
  const given = readRecord(value);
  const id = readCount(given.id);
  if (id === null) return null;
  const armsIn = readCount(given.arms_in_ms);
  return {
    id,
    symbol: readText(given.symbol) || symbol,
    name: readText(given.name) || null,
    active: readBoolean(given.active) ?? true,
    persistent: readBoolean(given.persistent) ?? false,
    logic_json: readLogicJson(given.logic_json),
    destinations: readDestinations(given.destinations),
    last_triggered_at: readIsoTime(given.last_triggered_at),
    last_triggered_market_time: readIsoTime(given.last_triggered_market_time),
    version: readCount(given.version),
    snoozed_until: readIsoTime(given.snoozed_until),
    stopped_reason: readText(given.stopped_reason) || null,
    note: readText(given.note) || null,
    expires_at: readIsoTime(given.expires_at),
    armsAt: armsIn === null ? null : Date.now() + armsIn,
    delivery: readDelivery(given.delivery),
    problem: readText(given.problem) || null,
  };
}

/** GET /alerts?symbol= (specification 7.4). */
export const readAlerts =
  (symbol: string) =>
  (body: unknown): { alerts: SavedAlert[] } => ({
    alerts: readList(readAnswer(body).alerts, (alert) => readAlert(alert, symbol)),
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
  const given = readAnswer(body);
  return readAlert({ ...before, ...payload, id, ...given }, symbol);
}

/** The alert as it stands, of an answer which says that another change came first (409); null when it is none. */
export function readConflict(
  body: unknown,
  symbol: string,
): { alert: SavedAlert | null; error: string } | null {
  const { error: said, alert } = readAnswer(body);
  const error = readText(said);
  if (!error) return null;
  return { error, alert: isRecord(alert) ? readAlert(alert, symbol) : null };
}

/** A trigger in the history of an alert; what an older server does not say is null. */
export type PastTrigger = Omit<TriggerView, 'marketTime' | 'source'> & {
  marketTime: string | null;
  source: string | null;
};

function readTrigger(value: unknown): PastTrigger | null {
  const given = readRecord(value);
  const timestamp = readIsoTime(given.timestamp);
  if (timestamp === null) return null;
  return {
    id: readCount(given.id) ?? 0,
    timestamp,
    marketTime: readIsoTime(given.marketTime),
    source: readText(given.source) || null,
    seen: readSeenConditions(given.seen),
    quoteTime: readIsoTime(given.quoteTime),
    delayMinutes: readNumber(given.delayMinutes) ?? 0,
    deactivated: readBoolean(given.deactivated) ?? false,
    silent: readBoolean(given.silent) ?? false,
    delivery: readDelivery(given.delivery),
  };
}

/** GET /alerts/:id/triggers: the newest first. */
export const readTriggers = (body: unknown): { triggers: PastTrigger[] } => ({
  triggers: readList(readAnswer(body).triggers, readTrigger),
});
