import { isRecord } from '#lib/json.ts';
import { readBoolean, readList, readNumber, readRecord } from '#lib/read.ts';
import { SECURITIES } from '#market/rules/stockState.ts';
import {
  type ScannerFilters,
  defaultFilters,
  PRICE_GROUPS,
  OPEN_FILTERS,
  SIDE_LABELS,
} from '#market/scanners/rules/filters.ts';
import { SCANNERS, type ScannerKey, type Sort } from '#market/scanners/rules/scanners.ts';
import { readStored, writeStored } from '#web/shared/storage.ts';
import { type MarketView, forgetRow, requestedRow } from '#web/shared/scannerRequests.ts';
import { CHANGE_PERCENT, type Column, GAP_PERCENT, RELATIVE_VOLUME } from '#market/scanners/rules/columns.ts';
import { withColumns } from '../rules/shownColumns.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import { confirmSaved } from '#web/shared/saved.ts';

/** Stored in this browser per scanner, without the text filter. */
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
    // Only scanners that show the price group may filter by it.
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

/** Reads the stored preferences; missing or malformed parts get their defaults. */
function readScannerPreferences(scanner: ScannerKey): ScannerPreferences {
  const fallback = defaults(scanner);
  const stored = readStored(keyOf(scanner), (value) => (isRecord(value) ? value : null));
  if (!stored) return fallback;
  return {
    sort: sortOf(stored.sort, fallback.sort),
    snapshotSort: sortOf(stored.snapshotSort, fallback.snapshotSort),
    filters: filtersOf(stored.filters, fallback.filters),
  };
}

/** Stores the preferences. Returns whether the browser stored them. */
function writeScannerPreferences(scanner: ScannerKey, preferences: ScannerPreferences): boolean {
  const { text: _, listed: __, side: ___, sector: ____, ...filters } = preferences.filters;
  writeStored(keyOf(scanner), { ...preferences, filters });
  return readStored(keyOf(scanner), (kept) => kept) !== null;
}

export const viewLabel = ({ side, sector = '' }: MarketView): string => (side ? SIDE_LABELS[side] : sector);

const isGapView = ({ side }: MarketView): boolean => side === 'gappingUp' || side === 'gappingDown';
const FALLING: readonly MarketView['side'][] = ['decliners', 'gappingDown', 'newLows'];

function viewSort(view: MarketView): Sort {
  if (view.side === 'unusualVolume') return { id: RELATIVE_VOLUME.id, desc: true };
  return { id: (isGapView(view) ? GAP_PERCENT : CHANGE_PERCENT).id, desc: !FALLING.includes(view.side) };
}

/** Uses only the view's own filters, so that it shows as many stocks as were counted. */
const viewPreferences = (view: MarketView): ScannerPreferences => ({
  sort: viewSort(view),
  snapshotSort: viewSort(view),
  filters: { ...OPEN_FILTERS, securities: view.securities },
});

/** The user's columns, plus the view's key columns after the name if they are missing. */
export function viewColumns(view: MarketView, own: readonly Column[]): readonly Column[] {
  const change = isGapView(view) ? GAP_PERCENT : CHANGE_PERCENT;
  const read = view.side === 'unusualVolume' ? [RELATIVE_VOLUME, change] : [change];
  const missing = read.filter(({ id }) => own.every((column) => column.id !== id));
  return withColumns([...own.filter(({ kind }) => kind === 'name'), ...missing], own);
}

/** Whether filters are equal without the text filter, which is not stored. */
const areStoredAlike = (left: ScannerFilters, right: ScannerFilters): boolean =>
  JSON.stringify({ ...left, text: '' }) === JSON.stringify({ ...right, text: '' });

/**
 * Mount it again for another scanner.
 * @param view temporarily replaces the preferences; changes to it are not stored
 */
export function useScannerPreferences(scanner: ScannerKey, view: MarketView | null) {
  const [preferences, setPreferences] = useState(() => readScannerPreferences(scanner));
  const [viewed, setViewed] = useState(() => view && viewPreferences(view));
  const kept = useRef(preferences.filters);
  useEffect(() => {
    const isKept = writeScannerPreferences(scanner, preferences);
    if (isKept && !areStoredAlike(kept.current, preferences.filters)) confirmSaved();
    kept.current = preferences.filters;
  }, [scanner, preferences]);
  const isView = view !== null;
  const change = useCallback(
    (part: Partial<ScannerPreferences>) =>
      isView
        ? setViewed((before) => before && { ...before, ...part })
        : setPreferences((before) => ({ ...before, ...part })),
    [isView],
  );
  return [(isView && viewed) || preferences, change] as const;
}

const GAP = SCANNERS.preMarket.metric.id;

/**
 * The user's filters, and the stock that was jumped to. That stock stays visible until a filter changes or the user
 * leaves the scanner.
 * @param onChange stores them
 */
export function useScannerFilters(
  scanner: ScannerKey,
  { filters: own, sort, snapshotSort }: ScannerPreferences,
  onChange: (change: Partial<ScannerPreferences>) => void,
) {
  const requested = requestedRow.value;
  const requestedCode = requested?.scanner === scanner ? requested.code : null;
  useEffect(() => () => forgetRow(scanner), [scanner]);
  const setFilters = useCallback(
    (next: ScannerFilters) => {
      forgetRow(scanner);
      // Reverses a sort by gap, so that the widest gap stays first.
      const turns = next.gaps !== own.gaps;
      const turned = (before: Sort) => (turns && before.id === GAP ? { id: GAP, desc: !next.gaps } : before);
      onChange({ filters: next, sort: turned(sort), snapshotSort: turned(snapshotSort) });
    },
    [scanner, own, sort, snapshotSort, onChange],
  );
  return { filters: own, setFilters, requestedCode };
}
