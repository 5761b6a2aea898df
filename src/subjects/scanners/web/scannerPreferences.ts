import { isRecord } from '#lib/json.ts';
import { readBoolean, readList, readNumber, readRecord } from '#lib/read.ts';
import { SECURITIES } from '#market/rules/securities.ts';
import { type ScannerFilters, defaultFilters, PRICE_GROUPS } from '#market/scanners/rules/filters.ts';
import { SCANNERS, type ScannerKey, type Sort } from '#market/scanners/rules/scanners.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';

/** How a user has left a scanner: stored in this browser for each scanner, without the text filter. */
export type ScannerPreferences = { sort: Sort; snapshotSort: Sort; filters: ScannerFilters };

const keyOf = (scanner: ScannerKey): string => `bellbird.scanner.${scanner}`;

function sortOf(value: unknown, fallback: Sort): Sort {
  const { id, desc } = readRecord(value);
  const isDescending = readBoolean(desc);
  return typeof id === 'string' && isDescending !== null ? { id, desc: isDescending } : fallback;
}

function listsOf(value: unknown): ScannerFilters['lists'] {
  if (value === 'all') return value;
  const ids = readList(value, readNumber);
  return ids.length === 0 ? undefined : ids;
}

function filtersOf(value: unknown, fallback: ScannerFilters): ScannerFilters {
  if (!isRecord(value)) return fallback;
  const group = PRICE_GROUPS.find(({ id }) => id === value.priceGroup)?.id ?? null;
  const minValue = readNumber(value.minValue);
  return {
    // A scanner without the group must never filter by it unseen.
    priceGroup: fallback.priceGroup === null ? null : group,
    gaps: fallback.priceGroup !== null && value.gaps === 'down' ? 'down' : undefined,
    newsOnly: readBoolean(value.newsOnly) ?? false,
    sensitiveOnly: readBoolean(value.sensitiveOnly) || undefined,
    securities: SECURITIES.find(({ id }) => id !== undefined && id === value.securities)?.id,
    lists: listsOf(value.lists),
    minValue: minValue !== null && minValue >= 0 ? minValue : fallback.minValue,
    text: '',
  };
}

function defaults(scanner: ScannerKey): ScannerPreferences {
  const { defaultSort } = SCANNERS[scanner];
  return {
    sort: defaultSort,
    snapshotSort: defaultSort,
    filters: defaultFilters(scanner === 'preMarket'),
  };
}

/** The stored preferences of a scanner; each part that is missing or malformed takes its default. */
export function readScannerPreferences(scanner: ScannerKey): ScannerPreferences {
  const fallback = defaults(scanner);
  const stored = readStored(keyOf(scanner), (value) => (isRecord(value) ? value : null));
  if (!stored) return fallback;
  return {
    sort: sortOf(stored.sort, fallback.sort),
    snapshotSort: sortOf(stored.snapshotSort, fallback.snapshotSort),
    filters: filtersOf(stored.filters, fallback.filters),
  };
}

/** Stores a scanner's preferences in this browser. Returns whether the browser keeps them. */
export function writeScannerPreferences(scanner: ScannerKey, preferences: ScannerPreferences): boolean {
  const { text: _, listed: __, side: ___, sector: ____, ...filters } = preferences.filters;
  writeStored(keyOf(scanner), { ...preferences, filters });
  return readStored(keyOf(scanner), (kept) => kept) !== null;
}
