import { parseJson } from '../../../../lib/json.ts';
import { readBoolean, readCount, readRecord, readText, readTime } from '../../../../lib/read.ts';
import { readSeenConditions } from './readSeen.ts';
import type { AlertEvent, AlertTrigger } from './alertStream.ts';

const textOf = (value: unknown): string | null => readText(value)?.trim() || null;

function readTrigger(data: unknown, id: string, now: number): AlertTrigger | null {
  const event = readRecord(data);
  const alertId = readCount(event.alertId);
  if (alertId === null) return null;
  const at = readTime(event.timestamp);
  const triggerId = readCount(event.triggerId);
  return {
    // Without the trigger's own id the alert and the moment name it.
    key: triggerId === null ? `${alertId} ${at ?? (id || now)}` : `#${triggerId}`,
    of: 'stock',
    alertId,
    at: at ?? now,
    marketAt: readTime(event.marketTime) ?? at ?? now,
    deactivated: readBoolean(event.deactivated) ?? false,
    silent: readBoolean(event.silent) ?? false,
    symbol: textOf(event.symbol),
    name: textOf(event.name),
    text: textOf(event.text),
    seen: readSeenConditions(event.seen),
  };
}

/** A stock, or a sum of several, that an alert on a whole scan told; null for what can't be read. */
export function readScanTrigger(data: string, now: number): AlertTrigger | null {
  const json = parseJson(data);
  const event = readRecord(json.ok ? json.value : null);
  const scanAlertId = readCount(event.scanAlertId);
  if (scanAlertId === null) return null;
  const at = readTime(event.timestamp) ?? now;
  return {
    key: `scan ${readCount(event.triggerId) ?? `${scanAlertId} ${at}`}`,
    of: 'scan',
    alertId: scanAlertId,
    at,
    marketAt: readTime(event.marketTime) ?? at,
    deactivated: false,
    silent: readBoolean(event.silent) ?? false,
    symbol: textOf(event.symbol),
    name: textOf(event.name),
    text: textOf(event.text),
    seen: readSeenConditions(event.seen),
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
  const json = parseJson(data);
  const parsed = json.ok ? json.value : null;
  if (name === 'alert_triggered') {
    const trigger = readTrigger(parsed, id, now);
    return trigger && { type: 'triggered', trigger };
  }
  // Also without a readable body: something changed.
  const { alertId, symbol } = readRecord(parsed);
  return { type: 'changed', alertId: readCount(alertId), symbol: textOf(symbol) };
}
