import { isRecord } from '../../../src/lib/json.ts';
import { readBoolean, readNumber, readRecord } from '../../../src/lib/read.ts';
import { type ScannerFilters, defaultFilters, PRICE_GROUPS } from '../../../src/domain/scanners/filters.ts';
import { SCANNERS, type ScannerKey, type Sort } from '../../../src/domain/scanners/scanners.ts';
import { readStored, writeStored } from '../../shared/storage.ts';

/** What a scanner remembers in this browser, over reloads and in its own window. The text filter is not kept. */
export type ScannerMemory = { sort: Sort; snapshotSort: Sort; filters: ScannerFilters };

const keyOf = (scanner: ScannerKey): string => `bellbird.scanner.${scanner}`;

function sortOf(value: unknown, fallback: Sort): Sort {
  const { id, desc } = readRecord(value);
  const isDescending = readBoolean(desc);
  return typeof id === 'string' && isDescending !== null ? { id, desc: isDescending } : fallback;
}

function filtersOf(value: unknown, fallback: ScannerFilters): ScannerFilters {
  if (!isRecord(value)) return fallback;
  const group = PRICE_GROUPS.find(({ id }) => id === value.priceGroup)?.id ?? null;
  const minValue = readNumber(value.minValue);
  return {
    // A scanner without the group must never filter by it unseen.
    priceGroup: fallback.priceGroup === null ? null : group,
    newsOnly: readBoolean(value.newsOnly) ?? false,
    minValue: minValue !== null && minValue >= 0 ? minValue : fallback.minValue,
    text: '',
  };
}

function defaults(scanner: ScannerKey): ScannerMemory {
  const { defaultSort } = SCANNERS[scanner];
  return {
    sort: defaultSort,
    snapshotSort: defaultSort,
    filters: defaultFilters(scanner === 'preMarket'),
  };
}

/** What a scanner was left with, else its defaults; parts that make no sense fall back one by one. */
export function readMemory(scanner: ScannerKey): ScannerMemory {
  const fresh = defaults(scanner);
  const saved = readStored(keyOf(scanner), (value) => (isRecord(value) ? value : null));
  if (!saved) return fresh;
  return {
    sort: sortOf(saved.sort, fresh.sort),
    snapshotSort: sortOf(saved.snapshotSort, fresh.snapshotSort),
    filters: filtersOf(saved.filters, fresh.filters),
  };
}

export function writeMemory(scanner: ScannerKey, memory: ScannerMemory): void {
  const { text: _, ...filters } = memory.filters;
  writeStored(keyOf(scanner), { ...memory, filters });
}
