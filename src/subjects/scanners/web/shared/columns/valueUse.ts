import type { WaitingColumn } from '../../../../../market/indicators/rules/valueLimits.ts';
import type { ScannerKey } from '../../../rules/scanners.ts';
import { readCount, readList, readRecord, readText } from '../../../../../lib/read.ts';

function readWaiting(value: unknown): WaitingColumn | null {
  const { id, label, reason } = readRecord(value);
  const texts = { id: readText(id), label: readText(label), reason: readText(reason) };
  if (!texts.id || !texts.reason) return null;
  return { id: texts.id, label: texts.label ?? texts.id, reason: texts.reason };
}

/** The columns of a table that wait for their values. @param waiting as the settings have it, of all tables */
export function waitingColumns(waiting: unknown, tableKey: ScannerKey): WaitingColumn[] {
  const list = readRecord(waiting)[tableKey];
  return Array.isArray(list) ? readList(list, readWaiting) : [];
}

/**
 * How many values the user may have in use, and how many are; null when the server does not say.
 * @param values as the settings have them
 */
export function valueUse(values: unknown): { limit: number; used: number } | null {
  const { limit, used } = readRecord(values);
  const most = readCount(limit);
  return most === null ? null : { limit: most, used: readCount(used) ?? 0 };
}
