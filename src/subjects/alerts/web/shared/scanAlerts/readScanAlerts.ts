import {
  COOLDOWN_MINUTES,
  DAY_MAXIMUM,
  MINUTE_MAXIMUM,
  SCAN_EVENTS,
  SCAN_SCOPES,
  type SharedScanner,
  type WatchedScan,
} from '../../../rules/scanAlerts/scanAlert.ts';
import type { ScanAlertView, ScanRehearsal } from '../../../rules/scanAlerts/scanTrigger.ts';
import { isScannerKey } from '../../../../scanners/rules/scanners.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readIsoTime,
  readList,
  readRecord,
  readText,
} from '../../../../../lib/read.ts';

const readEvent = readChoice(SCAN_EVENTS);
const readScope = readChoice(SCAN_SCOPES);

function readScan(value: unknown): WatchedScan | null {
  const { type, key, id, name } = readRecord(value);
  if (type === 'scanner') {
    return isScannerKey(key) && key !== 'custom' ? { type, key: key satisfies SharedScanner } : null;
  }
  const own = readCount(id);
  return own === null ? null : { type: 'scan', id: own, name: readText(name) ?? '' };
}

/** A scan alert; null for what has no id or no scan. */
export function readScanAlert(value: unknown): ScanAlertView | null {
  const one = readRecord(value);
  const id = readCount(one.id);
  const scan = readScan(one.scan);
  if (id === null || scan === null) return null;
  const { telegram, discord } = readRecord(one.destinations);
  return {
    id,
    scan,
    name: readText(one.name),
    event: readEvent(one.event) ?? 'enters',
    scope: readScope(one.scope) ?? 'market',
    cooldown_minutes: readCount(one.cooldown_minutes) ?? COOLDOWN_MINUTES.start,
    day_maximum: readCount(one.day_maximum) ?? DAY_MAXIMUM.start,
    minute_maximum: readCount(one.minute_maximum) ?? MINUTE_MAXIMUM.start,
    active: readBoolean(one.active) ?? false,
    destinations: { telegram: readBoolean(telegram) ?? false, discord: readBoolean(discord) ?? false },
    last_triggered_at: readIsoTime(one.last_triggered_at),
    last_triggered_market_time: readIsoTime(one.last_triggered_market_time),
    version: readCount(one.version) ?? 1,
    snoozed_until: readIsoTime(one.snoozed_until),
    muted_today: readList(one.muted_today, readText),
    in_scan: readCount(one.in_scan),
    problem: readText(one.problem),
  };
}

export function readScanAlerts(body: unknown): { scan_alerts: ScanAlertView[]; limit: number } {
  const answer = readRecord(body);
  return { scan_alerts: readList(answer.scan_alerts, readScanAlert), limit: readCount(answer.limit) ?? 0 };
}

export function readScanRehearsal(body: unknown): ScanRehearsal {
  const answer = readRecord(body);
  return {
    fired: readCount(answer.fired) ?? 0,
    stocks: readCount(answer.stocks) ?? 0,
    days: readCount(answer.days) ?? 0,
    busiestDay: readCount(answer.busiestDay) ?? 0,
    newest: readList(answer.newest, (value) => {
      const symbol = readText(readRecord(value).symbol);
      const date = readText(readRecord(value).date);
      return symbol && date ? { symbol, date } : null;
    }),
    notRehearsed: readList(answer.notRehearsed, readText),
  };
}
