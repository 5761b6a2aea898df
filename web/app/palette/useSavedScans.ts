import { useEffect, useState } from 'react';
import type { ScanView } from '../../../src/subjects/conditions/rules/savedScan.ts';
import { fetchScans } from '../../../src/subjects/scanners/web/shared/scans/fetchScans.ts';
import { session } from '../../../src/subjects/accounts/web/shared/session/session.ts';

const NONE: readonly ScanView[] = [];

/** The user's saved scans, as soon as they are loaded; none for a visitor, and none when they can't be loaded. */
export function useSavedScans(): readonly ScanView[] {
  const [scans, setScans] = useState(NONE);
  const { isAuthenticated } = session.value;
  useEffect(() => {
    if (!isAuthenticated) return;
    let isWanted = true;
    fetchScans().then(
      (loaded) => isWanted && setScans(loaded),
      // The palette is of use without them; the custom scanner says what is wrong.
      (problem) => console.warn('The saved scans could not be loaded for the palette.', problem),
    );
    return () => {
      isWanted = false;
    };
  }, [isAuthenticated]);
  return scans;
}
