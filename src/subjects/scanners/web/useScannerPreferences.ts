import { useCallback, useEffect, useRef, useState } from 'react';
import type { ScannerFilters } from '#market/scanners/rules/filters.ts';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import type { MarketView } from '#web/shared/scannerRequests.ts';
import { saySaved } from '#web/shared/saved.ts';
import { viewPreferences } from './marketViews.ts';
import {
  readScannerPreferences,
  type ScannerPreferences,
  writeScannerPreferences,
} from './scannerPreferences.ts';

/** The text filter is not stored. */
const areStoredAlike = (left: ScannerFilters, right: ScannerFilters): boolean =>
  JSON.stringify({ ...left, text: '' }) === JSON.stringify({ ...right, text: '' });

/**
 * A scanner's preferences, and how to change some of them. Mount it again for another scanner.
 * @param view what the scanner shows in their place for a while; how its reader changes that is not kept
 */
export function useScannerPreferences(scanner: ScannerKey, view: MarketView | null) {
  const [preferences, setPreferences] = useState(() => readScannerPreferences(scanner));
  const [viewed, setViewed] = useState(() => view && viewPreferences(view));
  const kept = useRef(preferences.filters);
  useEffect(() => {
    const isKept = writeScannerPreferences(scanner, preferences);
    if (isKept && !areStoredAlike(kept.current, preferences.filters)) saySaved();
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
