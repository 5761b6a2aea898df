import { boolean, choice, count, epochMs, list, or, trimmed } from '#lib/contract/fields.ts';
import { object } from '#lib/contract/objects.ts';
import { parseJson } from '#lib/json.ts';
import { ALERT_SOUNDS } from '#subjects/alerts/rules/alertSound.ts';
import { seenCondition } from '#subjects/alerts/answers/seen.ts';
import type { AlertEvent, AlertTrigger } from './alertStream.ts';

const told = {
  triggerId: count,
  timestamp: epochMs,
  marketTime: epochMs,
  silent: or(boolean, false),
  symbol: trimmed,
  name: trimmed,
  text: trimmed,
  sound: choice(ALERT_SOUNDS),
  seen: list(seenCondition),
};
const stockTrigger = object({ ...told, alertId: count, deactivated: or(boolean, false) }, ['alertId']);
const scanTrigger = object({ ...told, scanAlertId: count }, ['scanAlertId']);
const change = object({ alertId: count, symbol: trimmed });

function dataOf(text: string): unknown {
  const json = parseJson(text);
  return json.ok ? json.value : null;
}

function readTrigger(data: unknown, id: string, now: number): AlertTrigger | null {
  const event = stockTrigger.read(data);
  if (!event) return null;
  const { alertId, triggerId, timestamp, marketTime, ...shown } = event;
  return {
    ...shown,
    // Without the trigger's own id the alert and the moment name it.
    key: triggerId === null ? `${alertId} ${timestamp ?? (id || now)}` : `#${triggerId}`,
    of: 'stock',
    alertId,
    at: timestamp ?? now,
    marketAt: marketTime ?? timestamp ?? now,
  };
}

/** A stock, or a sum of several, that an alert on a whole scan told; null for what can't be read. */
export function readScanTrigger(data: string, now: number): AlertTrigger | null {
  const event = scanTrigger.read(dataOf(data));
  if (!event) return null;
  const { scanAlertId, triggerId, timestamp, marketTime, ...shown } = event;
  const at = timestamp ?? now;
  return {
    ...shown,
    key: `scan ${triggerId ?? `${scanAlertId} ${at}`}`,
    of: 'scan',
    alertId: scanAlertId,
    at,
    marketAt: marketTime ?? at,
    deactivated: false,
  };
}

/**
 * An event of the alert stream (specification 7.3).
 * @param id of the event in the stream; '' when it has none
 * @param now stands in for a time that the server does not give, epoch ms
 * @returns null for what can't be read, which is ignored
 */
export function readAlertEvent(
  name: 'alert_triggered' | 'alert_changed',
  data: string,
  id: string,
  now: number,
): AlertEvent | null {
  const event = dataOf(data);
  if (name === 'alert_triggered') {
    const trigger = readTrigger(event, id, now);
    return trigger && { type: 'triggered', trigger };
  }
  // Also without a readable body: something changed.
  return { type: 'changed', ...(change.read(event) ?? { alertId: null, symbol: null }) };
}
