import type { WaitingColumn } from '../../../src/domain/indicators/valueLimits.ts';
import type { ScannerKey } from '../../../src/domain/scanners/scanners.ts';
import { readCount, readList, readRecord, readText } from '../../../src/lib/read.ts';
import { settings } from '../settings.ts';

function readWaiting(value: unknown): WaitingColumn | null {
  const { id, label, reason } = readRecord(value);
  const texts = { id: readText(id), label: readText(label), reason: readText(reason) };
  if (!texts.id || !texts.reason) return null;
  return { id: texts.id, label: texts.label ?? texts.id, reason: texts.reason };
}

/** The columns of a table that wait for their values, as far as the server says. */
export function waitingColumns(tableKey: ScannerKey): WaitingColumn[] {
  const list = readRecord(settings.value?.values?.waitingColumns)[tableKey];
  return Array.isArray(list) ? readList(list, readWaiting) : [];
}

/** How many values the user may have in use, and how many are; null when the server does not say. */
export function valueUse(): { limit: number; used: number } | null {
  const { limit, used } = readRecord(settings.value?.values?.indicatorValues);
  const most = readCount(limit);
  return most === null ? null : { limit: most, used: readCount(used) ?? 0 };
}
