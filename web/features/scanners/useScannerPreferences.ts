import { useCallback, useEffect, useState } from 'react';
import type { ScannerKey } from '../../../src/domain/scanners/scanners.ts';
import {
  readScannerPreferences,
  type ScannerPreferences,
  writeScannerPreferences,
} from './scannerPreferences.ts';

/** A scanner's preferences, and how to change some of them. Mount it anew for another scanner. */
export function useScannerPreferences(scanner: ScannerKey) {
  const [preferences, setPreferences] = useState(() => readScannerPreferences(scanner));
  useEffect(() => writeScannerPreferences(scanner, preferences), [scanner, preferences]);
  const change = useCallback(
    (part: Partial<ScannerPreferences>) => setPreferences((before) => ({ ...before, ...part })),
    [],
  );
  return [preferences, change] as const;
}
