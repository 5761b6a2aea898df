import { useEffect, useState } from 'react';
import type { ScanView } from '../../../../conditions/rules/savedScan.ts';
import { onReconnect } from '../../../../../../web/shared/onReconnect.ts';
import { fetchScans } from './fetchScans.ts';
import { followScans } from './scanChannel.ts';

/** The user's saved scans, followed through all windows of this browser; null until they are loaded. */
export function useOwnScans(): readonly ScanView[] | null {
  const [scans, setScans] = useState<readonly ScanView[] | null>(null);
  useEffect(() => {
    let isWanted = true;
    let newest = 0;
    const load = (): void => {
      if (!isWanted) return;
      newest += 1;
      const own = newest;
      fetchScans().then(
        (loaded) => {
          if (isWanted && own === newest) setScans(loaded);
        },
        (problem: unknown) => {
          console.warn('The saved scans could not be loaded.', problem);
          if (isWanted) onReconnect(load);
        },
      );
    };
    load();
    const stop = followScans(load);
    return () => {
      isWanted = false;
      stop();
    };
  }, []);
  return scans;
}
