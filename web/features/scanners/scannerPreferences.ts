import { isRecord } from '../../../src/lib/json.ts';
import { type ScannerFilters, defaultFilters, PRICE_GROUPS } from '../../../src/domain/scanners/filters.ts';
import { SCANNERS, type ScannerKey, type Sort } from '../../../src/domain/scanners/scanners.ts';
import { readStored, writeStored } from '../../shared/storage.ts';

/** How a user has left a scanner: stored in this browser for each scanner, without the text filter. */
export type ScannerPreferences = { sort: Sort; snapshotSort: Sort; filters: ScannerFilters };

const keyOf = (scanner: ScannerKey): string => `bellbird.scanner.${scanner}`;
const sortOf = (value: unknown, fallback: Sort): Sort =>
  isRecord(value) && typeof value.id === 'string' && typeof value.desc === 'boolean'
    ? { id: value.id, desc: value.desc }
    : fallback;

function filtersOf(value: unknown, fallback: ScannerFilters): ScannerFilters {
  if (!isRecord(value)) return fallback;
  const group = PRICE_GROUPS.find(({ id }) => id === value.priceGroup)?.id ?? null;
  const { newsOnly, minValue } = value;
  return {
    // A scanner without the group must never filter by it unseen.
    priceGroup: fallback.priceGroup === null ? null : group,
    newsOnly: newsOnly === true,
    minValue: typeof minValue === 'number' && minValue >= 0 ? minValue : fallback.minValue,
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

/** Stores a scanner's preferences in this browser. */
export function writeScannerPreferences(scanner: ScannerKey, preferences: ScannerPreferences): void {
  const { text: _, ...filters } = preferences.filters;
  writeStored(keyOf(scanner), { ...preferences, filters });
}
