import { useCallback, useEffect, useRef, useState } from 'react';
import type { ScannerFilters } from '../rules/filters.ts';
import type { ScannerKey } from '../rules/scanners.ts';
import { saySaved } from '../../../../web/shared/saved.ts';
import {
  readScannerPreferences,
  type ScannerPreferences,
  writeScannerPreferences,
} from './scannerPreferences.ts';

/** The text filter is not stored. */
const areStoredAlike = (left: ScannerFilters, right: ScannerFilters): boolean =>
  JSON.stringify({ ...left, text: '' }) === JSON.stringify({ ...right, text: '' });

/** A scanner's preferences, and how to change some of them. Mount it again for another scanner. */
export function useScannerPreferences(scanner: ScannerKey) {
  const [preferences, setPreferences] = useState(() => readScannerPreferences(scanner));
  const kept = useRef(preferences.filters);
  useEffect(() => {
    const isKept = writeScannerPreferences(scanner, preferences);
    if (isKept && !areStoredAlike(kept.current, preferences.filters)) saySaved();
    kept.current = preferences.filters;
  }, [scanner, preferences]);
  const change = useCallback(
    (part: Partial<ScannerPreferences>) => setPreferences((before) => ({ ...before, ...part })),
    [],
  );
  return [preferences, change] as const;
}
