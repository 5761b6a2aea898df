import { SCAN_EVENTS } from '../../../rules/scanAlerts/scanAlert.ts';
import type { ScanTriggerView } from '../../../rules/scanAlerts/scanTrigger.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readIsoTime,
  readList,
  readRecord,
  readText,
} from '../../../../../lib/read.ts';
import { readSeenConditions } from '../../shared/readSeen.ts';

const readEvent = readChoice(SCAN_EVENTS);

/** Newest first, as the server gives them. */
export const readScanTriggers = (body: unknown): { triggers: ScanTriggerView[] } => ({
  triggers: readList(readRecord(body).triggers, (value): ScanTriggerView | null => {
    const one = readRecord(value);
    const id = readCount(one.id);
    const marketTime = readIsoTime(one.marketTime) ?? readIsoTime(one.timestamp);
    if (id === null || marketTime === null) return null;
    return {
      id,
      marketTime,
      symbol: readText(one.symbol),
      symbols: readList(one.symbols, readText),
      event: readEvent(one.event) ?? 'enters',
      scan: readText(one.scan) ?? '',
      timestamp: readIsoTime(one.timestamp) ?? marketTime,
      seen: readSeenConditions(one.seen),
      quoteTime: readIsoTime(one.quoteTime),
      source: readText(one.source) ?? '',
      delayMinutes: readCount(one.delayMinutes) ?? 0,
      silent: readBoolean(one.silent) ?? false,
    };
  }),
});
